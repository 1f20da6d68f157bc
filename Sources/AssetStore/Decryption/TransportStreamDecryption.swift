/// Decrypts SAMPLE-AES in an MPEG-2 transport stream where it lies: no packet moves, no time stamp changes. What is given
/// comes out as soon as the PES packets are whole that lie in it.
struct TransportStreamDecryption: StreamDecryption {
    /// What was given and has not come out yet.
    private var bytes: [UInt8] = []
    /// The first transport packet that was not looked at.
    private var next = 0
    private let aes: SampleAES
    private var tableID: Int?
    private var kinds: [Int: Kind] = [:]
    /// The PES packet that is being gathered, by its stream: where its pieces lie.
    private var gathered: [Int: [Range<Int>]] = [:]
    private static let packetSize = 188
    /// Bytes that wait for a PES packet's end, at most.
    private static let largestBacklog = 64 << 20

    private enum Kind {
        case video
        case audio(SampleAES.Audio)
    }

    init(_ aes: SampleAES) { self.aes = aes }

    mutating func append(_ more: [UInt8]) throws(StoreError) -> [UInt8] {
        bytes += more
        while next + Self.packetSize <= bytes.count {
            try look(at: next)
            next += Self.packetSize
        }
        let waiting = gathered.values.lazy.compactMap(\.first?.lowerBound).min()
        let ready = waiting.map { min($0, next) } ?? next
        guard bytes.count - ready <= Self.largestBacklog else { throw StoreError(.integrity(.undecryptable)) }
        return take(ready)
    }

    mutating func end() throws(StoreError) -> [UInt8] {
        for stream in gathered.keys.sorted() { try finish(stream) }
        return take(bytes.count)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let ready = Array(bytes[..<count])
        bytes.removeFirst(count)
        next -= min(count, next)
        gathered = gathered.mapValues { $0.map { $0.lowerBound - count..<$0.upperBound - count } }
        return ready
    }

    private mutating func look(at start: Int) throws(StoreError) {
        guard bytes[start] == 0x47 else { throw StoreError(.integrity(.undecryptable)) }
        guard let payload = payload(at: start) else { return }
        let stream = Int(bytes.number(at: start + 1, 2) & 0x1FFF)
        let begins = bytes[start + 1] & 0x40 != 0
        if stream == 0, begins {
            readAssociation(payload)
        } else if stream == tableID, begins {
            readMap(payload)
        } else if kinds[stream] != nil {
            if begins { try finish(stream) }
            gathered[stream, default: []].append(payload)
        }
    }

    private func payload(at start: Int) -> Range<Int>? {
        let control = bytes[start + 3] >> 4 & 3
        guard control & 1 == 1 else { return nil }
        let first = start + 4 + (control == 3 ? 1 + Int(bytes[start + 4]) : 0)
        let end = start + Self.packetSize
        return first < end ? first..<end : nil
    }

    /// A table's section without its pointer field; sections of these tables fit in one packet.
    private func section(_ payload: Range<Int>) -> Range<Int>? {
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        guard start + 12 <= payload.upperBound else { return nil }
        let end = start + 3 + Int(bytes.number(at: start + 1, 2) & 0xFFF)
        // A header of 8 bytes and a checksum are the least that a table has.
        return end >= start + 12 && end <= payload.upperBound ? start..<end : nil
    }

    private mutating func readAssociation(_ payload: Range<Int>) {
        guard let section = section(payload) else { return }
        for entry in stride(from: section.lowerBound + 8, to: section.upperBound - 7, by: 4)
        where bytes.number(at: entry, 2) != 0 {
            tableID = Int(bytes.number(at: entry + 2, 2) & 0x1FFF)
        }
    }

    /// Types of encrypted streams, with what they are in the clear.
    private static let types: [UInt8: (kind: Kind, clear: UInt8)] = [
        0xDB: (.video, 0x1B), 0xCF: (.audio(.adts), 0x0F), 0xC1: (.audio(.ac3), 0x81),
        0xC2: (.audio(.eac3), 0x87),
    ]

    private mutating func readMap(_ payload: Range<Int>) {
        guard let section = section(payload) else { return }
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

    private mutating func finish(_ stream: Int) throws(StoreError) {
        guard let pieces = gathered.removeValue(forKey: stream), let kind = kinds[stream] else { return }
        var packet: [UInt8] = []
        for piece in pieces { packet += bytes[piece] }
        guard packet.count > 9, packet.number(at: 0, 3) == 1 else { return }
        let header = 9 + Int(packet[8])
        guard header < packet.count else { return }
        // What lies behind the packet's own length is stuffing.
        let length = Int(packet.number(at: 4, 2))
        let end = length == 0 ? packet.count : min(packet.count, 6 + length)
        var content = Array(packet[header..<max(header, end)])
        switch kind {
        case .video: try aes.video(&content)
        case .audio(let audio): try aes.audio(&content, 0..<content.count, audio)
        }
        packet.replaceSubrange(header..<header + content.count, with: content)
        var position = 0
        for piece in pieces {
            bytes.replaceSubrange(piece, with: packet[position..<position + piece.count])
            position += piece.count
        }
    }
}

/// The checksum of MPEG-2 tables (ISO/IEC 13818-1, annex A).
enum CRC32 {
    static func mpeg(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
            }
        }
    }
}
