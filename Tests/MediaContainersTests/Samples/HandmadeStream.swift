@testable import MediaContainers

/// A transport stream that is made byte by byte, for what no encoder here makes.
struct HandmadeStream {
    /// A PES packet.
    struct Unit {
        var stream = 256
        var presentation: Int64?
        var decoding: Int64?
        var bytes: [UInt8]
        var isRandomAccess = false
    }

    /// A stream of the program map.
    struct Entry {
        var stream = 256
        var type: UInt8
        var descriptors: [UInt8] = []
    }

    private var counters: [Int: UInt8] = [:]
    private(set) var bytes: [UInt8] = []

    /// A stream with the tables at its beginning.
    init(_ entries: [Entry], _ units: [Unit] = [], version: UInt8 = 0) {
        appendTables(entries, version: version)
        for unit in units { append(unit) }
    }

    mutating func appendTables(_ entries: [Entry], version: UInt8 = 0) {
        appendSection(0, 0, version, [0, 1, 0xF0, 0])
        var content: [UInt8] = [0xE1, 0, 0xF0, 0]
        for entry in entries {
            content += [entry.type, 0xE0 | UInt8(entry.stream >> 8), UInt8(entry.stream & 0xFF)]
            content += [0xF0, UInt8(entry.descriptors.count)] + entry.descriptors
        }
        appendSection(4096, 2, version, content)
    }

    /// A section with its checksum, in as many packets as it takes.
    private mutating func appendSection(_ stream: Int, _ table: UInt8, _ version: UInt8, _ content: [UInt8]) {
        let length = content.count + 9
        var section = [
            table, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), 0, 1, 0xC1 | version << 1, 0, 0,
        ]
        section += content
        let sum = CRC32.mpeg(section)
        section += (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
        var rest = ([0] + section)[...]
        var begins = true
        while !rest.isEmpty {
            let part = Array(rest.prefix(184))
            let padding = [UInt8](repeating: 0xFF, count: 184 - part.count)
            appendPacket(stream, begins: begins, part + padding)
            (rest, begins) = (rest.dropFirst(184), false)
        }
    }

    /// A packet with an adaptation field as long as its payload needs it.
    mutating func appendPacket(_ stream: Int, begins: Bool, _ payload: [UInt8], flags: UInt8 = 0) {
        let counter = counters[stream] ?? 0
        counters[stream] = (counter + 1) & 0xF
        let space = 184 - payload.count
        bytes += [0x47, UInt8(stream >> 8) | (begins ? 0x40 : 0), UInt8(stream & 0xFF)]
        bytes += [(space > 0 ? 0x30 : 0x10) | counter]
        if space > 0 { bytes.append(UInt8(space - 1)) }
        if space > 1 { bytes += [flags] + [UInt8](repeating: 0xFF, count: space - 2) }
        bytes += payload
    }

    mutating func append(_ unit: Unit) {
        var header: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80]
        switch (unit.presentation, unit.decoding) {
        case (nil, _): header += [0, 0]
        case (let time?, nil): header += [0x80, 5] + Self.stamp(2, time)
        case (let time?, let decoding?):
            header += [0xC0, 10] + Self.stamp(3, time) + Self.stamp(1, decoding)
        }
        var (rest, begins) = ((header + unit.bytes)[...], true)
        while !rest.isEmpty {
            let part = Array(rest.prefix(begins && unit.isRandomAccess ? 182 : 184))
            appendPacket(unit.stream, begins: begins, part, flags: begins && unit.isRandomAccess ? 0x40 : 0)
            (rest, begins) = (rest.dropFirst(part.count), false)
        }
    }

    /// Marks all packets of media as encrypted.
    mutating func scramble() {
        for place in stride(from: 0, to: bytes.count, by: 188) where bytes[place + 1] & 0x1F == 1 {
            bytes[place + 3] |= 0x80
        }
    }

    private static func stamp(_ mark: UInt8, _ time: Int64) -> [UInt8] {
        let time = UInt64(truncatingIfNeeded: time)
        return [
            mark << 4 | UInt8(time >> 30 & 7) << 1 | 1, UInt8(time >> 22 & 0xFF),
            UInt8(time >> 15 & 0x7F) << 1 | 1,
            UInt8(time >> 7 & 0xFF), UInt8(time & 0x7F) << 1 | 1,
        ]
    }
}

/// Units of H.264 that are made bit by bit.
enum HandmadePictures {
    static let code: [UInt8] = [0, 0, 0, 1]

    /// A sequence parameter set of the Main profile, 64×64; pictures may be fields.
    static func sequence(fields: Bool = true, columns: Int = 4) -> [UInt8] {
        var bits = BitWriter()
        bits.ue(0)
        bits.ue(0)
        bits.ue(2)
        bits.ue(1)
        bits.put(false)
        bits.ue(columns - 1)
        bits.ue(fields ? 1 : 3)
        bits.put(!fields)
        if fields { bits.put(false) }
        bits.put(true)
        bits.put(false)
        bits.put(false)
        bits.put(true)
        return [0x67, 77, 0, 30] + bits.bytes
    }

    static func pictureSet(_ extra: UInt8 = 0x80) -> [UInt8] {
        // Both numbers are 0.
        [0x68, 0b1110_0000, extra]
    }

    /// A slice with a payload that tells it from others.
    static func slice(
        _ type: UInt8, first: Int = 0, kind: Int, frame: Int, field: Bool? = nil, fields: Bool = true,
        payload: UInt8
    ) -> [UInt8] {
        var bits = BitWriter()
        bits.ue(first)
        bits.ue(kind)
        bits.ue(0)
        bits.put(frame, 4)
        if fields {
            bits.put(field != nil)
            if let field { bits.put(field) }
        }
        return [0x60 | type] + bits.bytes + [0xA5, payload, 0x80]
    }

    /// The message that decoding can begin here.
    static let recoveryPoint: [UInt8] = [0x06, 6, 1, 0x84, 0x80]

    static func stream(_ units: [UInt8]...) -> [UInt8] { units.reduce([]) { $0 + code + $1 } }
}

extension BitWriter {
    /// Appends an unsigned Exp-Golomb number.
    mutating func ue(_ value: Int) {
        let width = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
        put(value + 1, 2 * width - 1)
    }
}
