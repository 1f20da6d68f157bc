/// The head of a packet of an MPEG-2 transport stream (ISO/IEC 13818-1, section 2.4.3.2).
package struct TransportPacket {
    /// The packet identifier.
    package let stream: Int
    /// Whether a PES packet or a section begins in it.
    package let begins: Bool
    let isScrambled: Bool
    /// The range of its payload; `nil` without one.
    package let payload: Range<Int>?

    package static let size = 188
    package static let sync: UInt8 = 0x47

    /// Reads the header of a complete packet.
    package init(_ bytes: [UInt8], at place: Int) {
        let control = bytes[place + 3]
        stream = number(bytes, place + 1) & 0x1FFF
        begins = bytes[place + 1] & 0x40 != 0
        isScrambled = control & 0xC0 != 0
        let first = place + 4 + (control & 0x20 == 0 ? 0 : 1 + Int(bytes[place + 4]))
        let end = place + Self.size
        payload = control & 0x10 != 0 && first < end ? first..<end : nil
    }

    /// Whether the adaptation field marks a random access point.
    static func isRandomAccess(_ bytes: [UInt8], _ place: Int) -> Bool { flags(bytes, place) & 0x40 != 0 }

    /// Whether the adaptation field marks a discontinuity of counters.
    static func isDiscontinuous(_ bytes: [UInt8], _ place: Int) -> Bool { flags(bytes, place) & 0x80 != 0 }

    /// The flags of the adaptation field; 0 without one.
    private static func flags(_ bytes: [UInt8], _ place: Int) -> UInt8 {
        bytes[place + 3] & 0x20 != 0 && bytes[place + 4] > 0 ? bytes[place + 5] : 0
    }
}

/// The tables of an MPEG-2 transport stream (section 2.4.4), as far as they are in the packet in which they begin.
enum TransportTable {
    /// The packet identifiers of the maps that a program association table names.
    static func programs(_ bytes: [UInt8], _ payload: Range<Int>) -> [Int] {
        guard let (start, end) = section(bytes, payload, table: 0) else { return [] }
        var (entry, found) = (start + 8, [Int]())
        while entry + 4 <= min(end, payload.upperBound) {
            let isNetwork = number(bytes, entry) == 0
            if !isNetwork { found.append(number(bytes, entry + 2) & 0x1FFF) }
            entry += 4
        }
        return found
    }

    /// The part of a program map table that a packet has.
    enum Map {
        /// The types of its streams, by their packet identifiers.
        case whole([Int: UInt8])
        /// A part: the rest stands in other packets.
        case part
        /// A table that is too short.
        case broken
    }

    /// Reads a program map table; `nil` if the payload begins with another table.
    static func map(_ bytes: [UInt8], _ payload: Range<Int>) -> Map? {
        guard let (start, end) = section(bytes, payload, table: 2) else { return nil }
        guard end <= payload.upperBound else { return .part }
        guard start + 12 <= end else { return .broken }
        var (entry, found) = (start + 12 + (number(bytes, start + 10) & 0xFFF), [Int: UInt8]())
        while entry + 5 <= end {
            found[number(bytes, entry + 1) & 0x1FFF] = bytes[entry]
            entry += 5 + (number(bytes, entry + 3) & 0xFFF)
        }
        return .whole(found)
    }

    /// The offsets of a section and of its checksum.
    private static func section(
        _ bytes: [UInt8], _ payload: Range<Int>, table: UInt8
    ) -> (start: Int, end: Int)? {
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        guard start + 3 <= payload.upperBound, bytes[start] == table, bytes[start + 1] & 0x80 != 0 else {
            return nil
        }
        return (start, start + 3 + (number(bytes, start + 1) & 0xFFF) - 4)
    }
}

/// Two bytes, big-endian.
private func number(_ bytes: [UInt8], _ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
