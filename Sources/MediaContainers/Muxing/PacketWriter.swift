/// Writes the packets of a transport stream (ISO/IEC 13818-1, section 2.4.3) into one buffer.
struct PacketWriter {
    private(set) var bytes: [UInt8] = []

    private static let size = TransportPacket.size
    /// Bytes of a header, and those of the adaptation field before its stuffing: none, flags, or flags and a clock reference.
    private static let (header, flags, clock) = (4, 1, 7)

    /// What the first packet of a PES packet tells.
    struct Marks {
        /// The clock reference, in ticks of 90 kHz; `nil` for none.
        var clock: Int64?
        /// Whether decoding can begin here.
        var isRandomAccess = false

        /// Bytes of the adaptation field behind its length; `nil` for no field.
        fileprivate var fieldLength: Int? {
            clock != nil ? PacketWriter.clock : isRandomAccess ? PacketWriter.flags : nil
        }
    }

    init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// How many packets a PES packet takes.
    static func packets(of count: Int, _ marks: Marks) -> Int {
        let room = size - header - (marks.fieldLength.map { $0 + 1 } ?? 0)
        return 1 + max(0, count - room + size - header - 1) / (size - header)
    }

    /// Appends a PES packet, or less than its packets hold: adaptation fields fill the rest.
    ///
    /// - Parameters:
    ///   - stream: the packet identifier.
    ///   - counter: the continuity counter of the next packet.
    ///   - packets: how many packets it takes, at least as many as it needs.
    mutating func append(
        _ packet: [UInt8], stream: Int, counter: inout UInt8, packets: Int, marks: Marks
    ) {
        var place = 0
        for index in 0..<packets {
            let field = index == 0 ? marks.fieldLength : nil
            let room = Self.size - Self.header - (field.map { $0 + 1 } ?? 0)
            // Each packet that is left gets one byte at least.
            let count = max(0, min(room, packet.count - place - (packets - 1 - index)))
            let stuffing = room - count
            bytes.append(TransportPacket.sync)
            bytes.append((index == 0 ? 0x40 : 0) | UInt8(truncatingIfNeeded: stream >> 8 & 0x1F))
            bytes.append(UInt8(truncatingIfNeeded: stream))
            bytes.append((field != nil || stuffing > 0 ? 0x30 : 0x10) | counter)
            counter = (counter + 1) & 0xF
            if index == 0, let field { append(field, marks, stuffing: stuffing) } else { stuff(stuffing) }
            bytes += packet[place..<place + count]
            place += count
        }
    }

    /// Appends an adaptation field with marks.
    private mutating func append(_ field: Int, _ marks: Marks, stuffing: Int) {
        bytes.append(UInt8(field + stuffing))
        bytes.append((marks.clock != nil ? 0x10 : 0) | (marks.isRandomAccess ? 0x40 : 0))
        if let clock = marks.clock {
            let base = UInt64(bitPattern: clock) & (1 << 33 - 1)
            for shift in [25, 17, 9, 1] as [UInt64] { bytes.append(UInt8(truncatingIfNeeded: base >> shift)) }
            bytes.append(UInt8(truncatingIfNeeded: base << 7) | 0x7E)
            bytes.append(0)
        }
        bytes.append(contentsOf: repeatElement(0xFF, count: stuffing))
    }

    /// Appends an adaptation field of so many bytes that tells nothing.
    private mutating func stuff(_ count: Int) {
        guard count > 0 else { return }
        bytes.append(UInt8(count - 1))
        guard count > 1 else { return }
        bytes.append(0)
        bytes.append(contentsOf: repeatElement(0xFF, count: count - 2))
    }

    /// How many packets a table takes.
    static func packets(ofTable section: [UInt8]) -> Int { (section.count + size - header) / (size - header) }

    /// Appends a table.
    mutating func append(table section: [UInt8], stream: Int, counter: Int) {
        var (content, counter) = ([0] + section, counter)
        while content.count % (Self.size - Self.header) != 0 { content.append(0xFF) }
        for place in stride(from: 0, to: content.count, by: Self.size - Self.header) {
            bytes += [
                TransportPacket.sync, (place == 0 ? 0x40 : 0) | UInt8(truncatingIfNeeded: stream >> 8),
                UInt8(truncatingIfNeeded: stream), 0x10 | UInt8(truncatingIfNeeded: counter & 0xF),
            ]
            bytes += content[place..<place + Self.size - Self.header]
            counter += 1
        }
    }
}

/// Writes PES packets (section 2.4.3.6).
enum PESWriter {
    /// Bytes before the payload: with both time stamps, or with room for them, and with one.
    static let (longHeader, shortHeader) = (19, 14)

    /// Appends a header for a payload that is appended later.
    ///
    /// - Parameter decoding: the decoding time stamp; `nil` for streams that have none.
    static func begin(_ bytes: inout [UInt8], kind: UInt8, presentation: Int64, decoding: Int64?) {
        let hasTwo = decoding.map { $0 != presentation } ?? false
        bytes += [0, 0, 1, kind, 0, 0, 0x84, hasTwo ? 0xC0 : 0x80, decoding == nil ? 5 : 10]
        stamp(presentation, hasTwo ? 3 : 2, &bytes)
        if let decoding, hasTwo { stamp(decoding, 1, &bytes) }
        // Pictures whose two times are one tell one, and are as long.
        if decoding != nil, !hasTwo { bytes += [UInt8](repeating: 0xFF, count: 5) }
    }

    /// Enters the length, if it has one: that of pictures may be left open.
    static func end(_ bytes: inout [UInt8]) {
        let length = bytes.count - 6
        guard length <= 0xFFFF else { return }
        (bytes[4], bytes[5]) = (UInt8(length >> 8), UInt8(length & 0xFF))
    }

    private static func stamp(_ time: Int64, _ mark: UInt8, _ bytes: inout [UInt8]) {
        let time = UInt64(bitPattern: time)
        bytes.append(mark << 4 | UInt8(truncatingIfNeeded: time >> 29) & 0xE | 1)
        bytes.append(UInt8(truncatingIfNeeded: time >> 22))
        bytes.append(UInt8(truncatingIfNeeded: time >> 14) | 1)
        bytes.append(UInt8(truncatingIfNeeded: time >> 7))
        bytes.append(UInt8(truncatingIfNeeded: time << 1) | 1)
    }
}
