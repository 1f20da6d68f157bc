/// A sequence parameter set of H.265 (ISO/IEC 23008-2, section 7.3.2.2), as far as samples need it.
struct HEVCSequence {
    /// Profile, tier and level: 12 bytes, as `hvcC` has them.
    let profile: [UInt8]
    let id: Int
    let layers: Int
    let isNested: Bool
    private(set) var chromaFormat = 1
    private(set) var lumaDepth = 8
    private(set) var chromaDepth = 8
    private(set) var facts = PictureFacts()

    /// Reads a whole unit; `nil` when it is broken.
    init?(_ unit: [UInt8]) {
        guard unit.count > 15 else { return nil }
        let payload = ByteStream.payload(unit, 2..<unit.count)
        guard payload.count > 13 else { return nil }
        var reader = BitReader(payload)
        reader.skip(4)
        layers = reader.bits(3) + 1
        isNested = reader.flag()
        profile = Array(payload[1..<13])
        reader.skip(96)
        Self.skipLayers(&reader, count: layers - 1)
        id = reader.ue()
        readPictures(&reader)
        guard !reader.isOverrun, layers <= 7, id < 16, facts.width > 0, facts.height > 0 else { return nil }
        var rest = reader
        readTools(&rest)
    }

    /// Skips the facts of temporal layers (section 7.3.3).
    static func skipLayers(_ reader: inout BitReader, count: Int) {
        guard count > 0 else { return }
        let told = (0..<8).map { _ in (reader.flag(), reader.flag()) }
        for layer in told.prefix(count) {
            if layer.0 { reader.skip(88) }
            if layer.1 { reader.skip(8) }
        }
    }

    private mutating func readPictures(_ reader: inout BitReader) {
        chromaFormat = min(3, reader.ue())
        if chromaFormat == 3 { reader.skip(1) }
        (facts.width, facts.height) = (min(reader.ue(), 65_535), min(reader.ue(), 65_535))
        if reader.flag() {
            let edges = (0..<4).map { _ in min(reader.ue(), 65_535) }
            facts.width -= (edges[0] + edges[1]) * (chromaFormat == 1 || chromaFormat == 2 ? 2 : 1)
            facts.height -= (edges[2] + edges[3]) * (chromaFormat == 1 ? 2 : 1)
        }
        (lumaDepth, chromaDepth) = (8 + min(8, reader.ue()), 8 + min(8, reader.ue()))
    }

    /// Reads from the picture order on; fields that can't be read to their end count as missing.
    private mutating func readTools(_ reader: inout BitReader) {
        var told = facts
        let orderBits = reader.ue() + 4
        let hasAll = reader.flag()
        for _ in (hasAll ? 0 : layers - 1)..<layers {
            _ = reader.ue()
            told.reorderDepth = min(16, reader.ue())
            _ = reader.ue()
        }
        for _ in 0..<6 { _ = reader.ue() }
        if reader.flag(), reader.flag() { Self.skipScaling(&reader) }
        reader.skip(2)
        if reader.flag() {
            reader.skip(8)
            (_, _) = (reader.ue(), reader.ue())
            reader.skip(1)
        }
        guard ReferenceSets.skip(&reader) else { return }
        if reader.flag() {
            for _ in 0..<min(32, reader.ue()) { reader.skip(orderBits + 1) }
        }
        reader.skip(2)
        if reader.flag() { Self.readUsability(&reader, &told) }
        if !reader.isOverrun { facts = told }
    }

    /// Passes over scaling lists (section 7.3.4).
    private static func skipScaling(_ reader: inout BitReader) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard reader.flag() else {
                    _ = reader.ue()
                    continue
                }
                if size > 1 { _ = reader.se() }
                for _ in 0..<min(64, 1 << (4 + 2 * size)) { _ = reader.se() }
            }
        }
    }

    /// Reads usability information up to the rate (annex E.2.1).
    private static func readUsability(_ reader: inout BitReader, _ facts: inout PictureFacts) {
        facts.readUsability(&reader)
        reader.skip(3)
        if reader.flag() { for _ in 0..<4 { _ = reader.ue() } }
        if reader.flag() {
            let (units, scale) = (reader.bits(32), reader.bits(32))
            facts.setRate(units: units, scale: scale, unitsPerPicture: 1)
        }
    }
}

/// Sets of short-term reference pictures (section 7.3.7), which stand before the usability information.
private enum ReferenceSets {
    /// Passes over all sets.
    ///
    /// - Returns: whether they could be read.
    static func skip(_ reader: inout BitReader) -> Bool {
        let count = reader.ue()
        guard count <= 64 else { return false }
        var pictures: [Int] = []
        for index in 0..<count {
            guard let next = size(&reader, isPredictable: index > 0, last: pictures.last ?? 0) else {
                return false
            }
            pictures.append(next)
        }
        return !reader.isOverrun
    }

    /// The pictures of the next set.
    private static func size(_ reader: inout BitReader, isPredictable: Bool, last: Int) -> Int? {
        if isPredictable, reader.flag() {
            reader.skip(1)
            _ = reader.ue()
            return (0...last).count { _ in reader.flag() || reader.flag() }
        }
        let (before, after) = (reader.ue(), reader.ue())
        guard before <= 16, after <= 16 else { return nil }
        for _ in 0..<before + after {
            _ = reader.ue()
            reader.skip(1)
        }
        return before + after
    }
}
