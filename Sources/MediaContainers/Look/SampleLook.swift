/// A sample to be checked.
struct SampleProbe {
    /// The number of the fragment it is of: samples of one track in one fragment are judged together.
    var fragment = 0
    let track: Int
    let coding: SampleCoding
    var offset: Int
    let size: Int
}

/// Checks some samples of MP4 fragments: are they of the kind that the initialization section names?
///
/// Only the first bytes of samples and of their units are read, and at most some thousand of these in a segment.
struct SampleLook<Source: MediaBytes> {
    /// Units of a picture that are looked at.
    private static var mostUnits: Int { 32 }

    private var window: ByteWindow<Source>
    /// The number of reads that are left.
    private var budget = 2048

    init(_ source: Source) { window = ByteWindow(source, pieceSize: 16) }

    /// Checks samples of fragments.
    ///
    /// - Returns: the reason for which a fragment can't be decoded: most of its checked samples are of another kind.
    mutating func defect(_ probes: [SampleProbe]) throws(Source.Failure) -> MediaDefect? {
        var first = 0
        while first < probes.count {
            let group = probes[first...].prefix {
                $0.fragment == probes[first].fragment && $0.track == probes[first].track
            }
            var (sound, strange) = (0, 0)
            for probe in group where budget > 0 {
                guard let isSound = try isSound(probe) else { continue }
                if isSound { sound += 1 } else { strange += 1 }
            }
            if strange > sound { return .foreignSamples(probes[first].coding.name) }
            first = group.endIndex
        }
        return nil
    }

    /// Whether a sample is of the right kind; `nil` if that is unknown.
    private mutating func isSound(_ probe: SampleProbe) throws(Source.Failure) -> Bool? {
        guard probe.size > 0, probe.offset >= 0, probe.size <= window.source.count - probe.offset else {
            return nil
        }
        switch probe.coding {
        case .avc(let length): return try isPicture(probe, lengthSize: length) { Self.avc($0) }
        case .hevc(let length): return try isPicture(probe, lengthSize: length) { Self.hevc($0) }
        case .flac: return try begins(probe) { $0[0] == 0xFF && $0[1] & 0xFE == 0xF8 }
        case .dolby: return try begins(probe) { $0[0] == 0x0B && $0[1] == 0x77 }
        // Such a packet would have more than 48 frames (RFC 6716, section 3.2.5).
        case .opus where try begins(probe, { $0[0] == 0xFF && $0[1] & 0xFE == 0xF8 }) == true: return false
        case .opus, .sound: return try isMadeOfPictures(probe) ? false : true
        case .other: return nil
        }
    }

    private mutating func begins(
        _ probe: SampleProbe, _ isSound: ([UInt8]) -> Bool
    ) throws(Source.Failure) -> Bool? {
        guard probe.size >= 2, let head = try head(probe.offset, 2) else { return nil }
        return isSound(head)
    }

    private mutating func head(_ offset: Int, _ count: Int) throws(Source.Failure) -> [UInt8]? {
        budget -= 1
        return try window.bytes(at: offset, count).map(Array.init)
    }

    /// The meaning of the first two bytes of a unit.
    enum Unit {
        /// A part of a picture.
        case picture
        /// A unit that accompanies pictures, or that decoders ignore.
        case other
        /// A sample that no encoder of this kind makes.
        case impossible
    }

    /// Whether units follow one another by their lengths, up to one with a slice. Faults behind it are no reason to
    /// reject a sample.
    private mutating func isPicture(
        _ probe: SampleProbe, lengthSize: Int, _ kind: ([UInt8]) -> Unit
    ) throws(Source.Failure) -> Bool {
        var (offset, hasPicture) = (probe.offset, false)
        let end = probe.offset + probe.size
        for _ in 0..<Self.mostUnits where offset + lengthSize + 2 <= end && budget > 0 {
            guard let head = try head(offset, lengthSize + 2) else { break }
            let length = head.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            guard length <= end - offset - lengthSize else { break }
            if length >= 2 {
                switch kind(head.suffix(2)) {
                case .picture: hasPicture = true
                case .other: break
                case .impossible: return false
                }
            }
            offset += lengthSize + length
        }
        return hasPicture || budget <= 0
    }

    /// ISO/IEC 14496-10, section 7.4.1: units of type 1 and 5 have the slices that players decode. The content of
    /// other units is not judged.
    private static func avc(_ head: [UInt8]) -> Unit {
        head[0] & 0x80 == 0 && [1, 5].contains(head[0] & 0x1F) ? .picture : .other
    }

    /// ISO/IEC 23008-2, section 7.3.1.2. Layers beyond 31 mean that the bytes are of another codec: no encoder makes
    /// them, and slices of H.264 look like them.
    private static func hevc(_ head: [UInt8]) -> Unit {
        let (type, temporal) = (head[0] >> 1 & 0x3F, head[1] & 7)
        let layer = (head[0] & 1) << 5 | head[1] >> 3
        guard head[0] & 0x80 == 0, layer < 32, temporal > 0 else { return .impossible }
        return layer == 0 && (type < 10 || (16...21).contains(type)) ? .picture : .other
    }

    /// Whether an audio sample consists of units of H.264 or H.265 from its first byte to its last, which never
    /// happens by chance.
    private mutating func isMadeOfPictures(_ probe: SampleProbe) throws(Source.Failure) -> Bool {
        var (offset, units, hasPicture) = (probe.offset, 0, false)
        let end = probe.offset + probe.size
        while offset + 6 <= end, units < Self.mostUnits, let head = try head(offset, 6) {
            let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length >= 2, length <= end - offset - 4, head[4] & 0x80 == 0 else { return false }
            let unit = Array(head.suffix(2))
            if case .picture = Self.avc(unit) { hasPicture = true }
            if case .picture = Self.hevc(unit) { hasPicture = true }
            (offset, units) = (offset + 4 + length, units + 1)
        }
        return hasPicture && (offset == end || units == Self.mostUnits)
    }
}
