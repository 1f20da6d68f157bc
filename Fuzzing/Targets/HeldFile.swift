#if DEBUG || FUZZING
    @testable internal import MediaContainers

    /// A transport stream, taken apart packet by packet, without the package's own reader.
    struct HeldFile {
        /// A PES packet.
        struct Packet {
            var stamps: (presentation: Int64, decoding: Int64)
            var isRandomAccess: Bool
            var payload: [UInt8]
            /// The last clock reference before it.
            var clock: Int64?
        }

        /// The PES packets of each stream.
        private(set) var streams: [Int: [Packet]] = [:]
        private var units: [Int: (bytes: [UInt8], isRandomAccess: Bool, clock: Int64?)] = [:]
        private var counters: [Int: UInt8] = [:]
        private var clock: Int64?

        /// - Throws: `Finding` where packets break the rules of ISO/IEC 13818-1.
        init(_ bytes: [UInt8]) throws(Finding) {
            try Finding.expect(bytes.count % 188 == 0, "packets are whole")
            for place in stride(from: 0, to: bytes.count, by: 188) { try take(bytes[place..<place + 188]) }
            for stream in units.keys.sorted() { try end(stream) }
        }

        private mutating func take(_ packet: ArraySlice<UInt8>) throws(Finding) {
            let at = packet.startIndex
            let stream = Int(packet[at + 1] & 0x1F) << 8 | Int(packet[at + 2])
            let begins = packet[at + 1] & 0x40 != 0
            try Finding.expect(packet[at] == 0x47 && packet[at + 1] & 0xA0 == 0, "a packet has its head")
            try Finding.expect(packet[at + 3] & 0xD0 == 0x10, "each packet has bytes, and none is scrambled")
            let counter = packet[at + 3] & 0xF
            let isNext = counters[stream].map { ($0 + 1) & 0xF == counter } ?? (counter == 0)
            try Finding.expect(isNext, "continuity counters count")
            counters[stream] = counter
            var start = at + 4
            var isRandomAccess = false
            if packet[at + 3] & 0x20 != 0 {
                let length = Int(packet[start])
                try Finding.expect(length <= 182, "an adaptation field leaves room for a byte")
                if length > 0 {
                    isRandomAccess = packet[start + 1] & 0x40 != 0
                    try readField(packet[start + 1..<start + 1 + length])
                }
                start += 1 + length
            }
            let payload = packet[start...]
            guard stream != 0, stream != ProgramWriter.mapStream else {
                return try checkTable(payload, begins: begins)
            }
            if begins {
                try end(stream)
                units[stream] = (Array(payload), isRandomAccess, clock)
            } else {
                try Finding.expect(units[stream] != nil, "a stream begins with the beginning of a PES packet")
                units[stream]?.bytes += payload
            }
        }

        private mutating func readField(_ field: ArraySlice<UInt8>) throws(Finding) {
            let at = field.startIndex
            var stuffing = field.dropFirst()
            if field[at] & 0x10 != 0 {
                try Finding.expect(field.count >= 7, "a clock reference is whole")
                let base = field[at + 1...at + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
                clock = base << 1 | Int64(field[at + 5] >> 7)
                stuffing = field.dropFirst(7)
            }
            try Finding.expect(stuffing.allSatisfy { $0 == 0xFF }, "stuffing is 0xFF")
        }

        private func checkTable(_ payload: ArraySlice<UInt8>, begins: Bool) throws(Finding) {
            guard begins, payload.first == 0, payload.count > 3 else { return }
            let section = payload.dropFirst()
            let at = section.startIndex
            let length = 3 + (Int(section[at + 1] & 0xF) << 8 | Int(section[at + 2]))
            guard length <= section.count else { return }
            try Finding.expect(CRC32.mpeg(Array(section.prefix(length))) == 0, "a table has its checksum")
        }

        private mutating func end(_ stream: Int) throws(Finding) {
            guard let unit = units.removeValue(forKey: stream) else { return }
            let bytes = unit.bytes
            try Finding.expect(
                bytes.count >= 14 && bytes.starts(with: [0, 0, 1]), "a PES packet has its head")
            let length = Int(bytes[4]) << 8 | Int(bytes[5])
            let mayBeOpen = bytes[3] & 0xF0 == 0xE0 && bytes.count > 6 + 0xFFFF
            try Finding.expect(length + 6 == bytes.count || length == 0 && mayBeOpen, "its length is right")
            let start = 9 + Int(bytes[8])
            try Finding.expect(bytes[7] & 0x80 != 0 && start <= bytes.count, "it has a time")
            let presentation = Self.stamp(bytes[9..<14])
            let decoding = bytes[7] & 0x40 != 0 ? Self.stamp(bytes[14..<19]) : presentation
            streams[stream, default: []].append(
                Packet(
                    stamps: (presentation, decoding), isRandomAccess: unit.isRandomAccess,
                    payload: Array(bytes[start...]), clock: unit.clock))
        }

        private static func stamp(_ bytes: ArraySlice<UInt8>) -> Int64 {
            let part = bytes.map { Int64($0) }
            let high = (part[0] >> 1 & 7) << 30 | part[1] << 22
            return high | (part[2] >> 1) << 15 | part[3] << 7 | part[4] >> 1
        }

        /// The difference of two times of 33 bits, by the shorter way.
        static func difference(_ one: Int64, _ other: Int64) -> Int64 {
            let difference = (one &- other) & (1 << 33 - 1)
            return difference < 1 << 32 ? difference : difference - 1 << 33
        }
    }
#endif
