internal import MediaContainers

/// The streams of an MPEG-2 transport stream that are encrypted sample by sample, by its tables (PAT and PMT; ISO/IEC
/// 13818-1, section 2.4.4). The tables stand before the media, or in an initialization section (RFC 8216, section
/// 3.2).
package struct TransportTables: Sendable {
    /// The kinds of encrypted streams.
    package enum Kind: Sendable {
        case video
        case audio(SampleAES.Audio)
    }

    /// Whether a program map table was read.
    private(set) var hasMap = false
    /// The encrypted streams by their packet identifiers.
    package private(set) var kinds: [Int: Kind] = [:]
    /// The packet identifier (PID) of the program map table.
    private var mapStream: Int?

    /// Makes empty tables.
    package init() {}

    /// Reads the tables of an initialization section.
    package init(section: [UInt8]) {
        var bytes = section
        readAll(of: &bytes)
    }

    /// An initialization section that names the streams' types after decryption.
    package static func clear(section: [UInt8]) -> [UInt8] {
        var tables = TransportTables()
        var bytes = section
        tables.readAll(of: &bytes)
        return bytes
    }

    private mutating func readAll(of bytes: inout [UInt8]) {
        var start = 0
        while start + TransportPacket.size <= bytes.count, bytes[start] == TransportPacket.sync {
            let packet = TransportPacket(bytes, at: start)
            if packet.begins, let payload = packet.payload {
                _ = read(payload, of: packet.stream, in: &bytes)
            }
            start += TransportPacket.size
        }
    }

    /// Reads a table; a program map table is changed to the streams' types after decryption.
    ///
    /// - Parameter payload: the range of the table.
    /// - Returns: whether the stream carries tables.
    package mutating func read(_ payload: Range<Int>, of stream: Int, in bytes: inout [UInt8]) -> Bool {
        guard stream == 0 || stream == mapStream else { return false }
        guard let section = Self.section(payload, in: bytes) else { return true }
        if stream == 0 { readAssociation(section, in: bytes) } else { readMap(section, in: &bytes) }
        return true
    }

    /// A table's section without its pointer field; sections of these tables fit in one packet.
    private static func section(_ payload: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        guard start + 12 <= payload.upperBound else { return nil }
        let end = start + 3 + Int(bytes.number(at: start + 1, 2) & 0xFFF)
        // A header of 8 bytes and a checksum are the least that a table has.
        return end >= start + 12 && end <= payload.upperBound ? start..<end : nil
    }

    private mutating func readAssociation(_ section: Range<Int>, in bytes: [UInt8]) {
        for entry in stride(from: section.lowerBound + 8, to: section.upperBound - 7, by: 4)
        where bytes.number(at: entry, 2) != 0 {
            mapStream = Int(bytes.number(at: entry + 2, 2) & 0x1FFF)
        }
    }

    /// Types of encrypted streams, with their types after decryption.
    private static let types: [UInt8: (kind: Kind, clear: UInt8)] = [
        0xDB: (.video, 0x1B), 0xCF: (.audio(.adts), 0x0F), 0xC1: (.audio(.ac3), 0x81),
        0xC2: (.audio(.eac3), 0x87),
    ]

    private mutating func readMap(_ section: Range<Int>, in bytes: inout [UInt8]) {
        (hasMap, kinds) = (true, [:])
        var entry = section.lowerBound + 12 + Int(bytes.number(at: section.lowerBound + 10, 2) & 0xFFF)
        while entry + 5 <= section.upperBound - 4 {
            if let type = Self.types[bytes[entry]] {
                kinds[Int(bytes.number(at: entry + 1, 2) & 0x1FFF)] = type.kind
                bytes[entry] = type.clear
            }
            entry += 5 + Int(bytes.number(at: entry + 3, 2) & 0xFFF)
        }
        let end = section.upperBound - 4
        let sum = CRC32.mpeg(bytes[section.lowerBound..<end])
        for place in 0..<4 { bytes[end + place] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * place)) }
    }
}
