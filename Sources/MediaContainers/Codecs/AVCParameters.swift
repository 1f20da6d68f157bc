/// A sequence parameter set of H.264 (ISO/IEC 14496-10, section 7.3.2.1.1), as far as samples need it.
struct AVCSequence {
    var id = 0
    var chromaFormat = 1
    var lumaDepth = 8
    var chromaDepth = 8
    var hasSeparatePlanes = false
    var frameNumberBits = 4
    /// Whether pictures may be coded as fields.
    var mayHaveFields = false
    var facts = PictureFacts()

    /// Profiles that tell how colors are sampled.
    static let highProfiles: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// Reads a whole unit; `nil` when it is broken.
    init?(_ unit: [UInt8]) {
        guard !unit.isEmpty else { return nil }
        let payload = ByteStream.payload(unit, 1..<unit.count)
        var reader = BitReader(payload)
        let profile = UInt8(reader.bits(8))
        reader.skip(16)
        id = reader.ue()
        if Self.highProfiles.contains(profile) { readChroma(&reader) }
        frameNumberBits = reader.ue() + 4
        readOrder(&reader)
        _ = reader.ue()
        reader.skip(1)
        readSize(&reader)
        guard !reader.isOverrun, id < 32, frameNumberBits <= 16, facts.width > 0, facts.height > 0 else {
            return nil
        }
        // Truncated usability information is no reason to reject a stream.
        if reader.flag() { readUsability(&reader) }
    }

    private mutating func readChroma(_ reader: inout BitReader) {
        chromaFormat = min(3, reader.ue())
        if chromaFormat == 3 { hasSeparatePlanes = reader.flag() }
        lumaDepth = 8 + min(8, reader.ue())
        chromaDepth = 8 + min(8, reader.ue())
        reader.skip(1)
        guard reader.flag() else { return }
        for list in 0..<(chromaFormat == 3 ? 12 : 8) where reader.flag() {
            Self.skipScaling(&reader, count: list < 6 ? 16 : 64)
        }
    }

    private static func skipScaling(_ reader: inout BitReader, count: Int) {
        var (last, next) = (8, 8)
        for _ in 0..<count where next != 0 {
            next = (last + reader.se()) & 0xFF
            if next != 0 { last = next }
        }
    }

    /// Reads how pictures are ordered.
    private func readOrder(_ reader: inout BitReader) {
        switch reader.ue() {
        case 0: _ = reader.ue()
        case 1:
            reader.skip(1)
            (_, _) = (reader.se(), reader.se())
            for _ in 0..<min(255, reader.ue()) { _ = reader.se() }
        default: break
        }
    }

    private mutating func readSize(_ reader: inout BitReader) {
        let columns = min(reader.ue(), 4095) + 1
        let rows = min(reader.ue(), 4095) + 1
        mayHaveFields = !reader.flag()
        if mayHaveFields { reader.skip(1) }
        reader.skip(1)
        let height = rows * (mayHaveFields ? 32 : 16)
        (facts.width, facts.height) = (columns * 16, height)
        guard reader.flag() else { return }
        let isSubsampledWide = chromaFormat == 1 || chromaFormat == 2
        let stepX = isSubsampledWide && !hasSeparatePlanes ? 2 : 1
        let stepY = (chromaFormat == 1 ? 2 : 1) * (mayHaveFields ? 2 : 1)
        let edges = (0..<4).map { _ in min(reader.ue(), 1 << 16) }
        facts.width -= (edges[0] + edges[1]) * stepX
        facts.height -= (edges[2] + edges[3]) * stepY
    }

    /// Reads usability information (annex E.1.1).
    private mutating func readUsability(_ reader: inout BitReader) {
        var told = facts
        told.readUsability(&reader)
        if reader.flag() {
            let (units, scale) = (reader.bits(32), reader.bits(32))
            told.setRate(units: units, scale: scale, unitsPerPicture: 2)
            reader.skip(1)
        }
        let hasUnitBuffer = reader.flag()
        if hasUnitBuffer { Self.skipBuffer(&reader) }
        let hasPictureBuffer = reader.flag()
        if hasPictureBuffer { Self.skipBuffer(&reader) }
        if hasUnitBuffer || hasPictureBuffer { reader.skip(1) }
        reader.skip(1)
        if reader.flag() {
            reader.skip(1)
            for _ in 0..<4 { _ = reader.ue() }
            told.reorderDepth = min(16, reader.ue())
        }
        if !reader.isOverrun { facts = told }
    }

    /// Passes over the parameters of a reference decoder (annex E.1.2).
    private static func skipBuffer(_ reader: inout BitReader) {
        let count = min(32, reader.ue() + 1)
        reader.skip(8)
        for _ in 0..<count {
            (_, _) = (reader.ue(), reader.ue())
            reader.skip(1)
        }
        reader.skip(20)
    }
}
