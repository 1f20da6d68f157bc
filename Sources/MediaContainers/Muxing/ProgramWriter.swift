/// Writes the tables of a transport stream with one program (ISO/IEC 13818-1, section 2.4.4).
struct ProgramWriter {
    /// A stream of the program.
    struct Stream {
        var form: StreamForm
        var number: Int
        var language: String?
    }

    static let mapStream = 0x1000
    /// The packet identifier of the first stream; those of the others follow.
    static let firstStream = 0x100
    /// Bytes that a table may have behind its length.
    private static let largest = 1021

    /// The association table: program 1 has the map.
    static let association = section(0, number: 1) { $0 += [0, 1, 0xE0 | UInt8(mapStream >> 8), 0] }

    /// The program map.
    ///
    /// - Returns: `nil` for more streams than a map can have.
    static func map(_ streams: [Stream]) -> [UInt8]? {
        let map = section(2, number: 1) { bytes in
            let clock = 0xE000 | firstStream
            bytes += [UInt8(clock >> 8), UInt8(clock & 0xFF), 0xF0, 0]
            for stream in streams {
                var descriptors = stream.form.descriptors
                if let language = stream.language.map({ Array($0.utf8) }), language.count == 3 {
                    descriptors += [0x0A, 4] + language + [0]
                }
                let number = 0xE000 | stream.number
                bytes += [stream.form.type, UInt8(number >> 8), UInt8(number & 0xFF)]
                bytes += [0xF0 | UInt8(descriptors.count >> 8), UInt8(descriptors.count & 0xFF)]
                bytes += descriptors
            }
        }
        return map.count - 3 <= largest ? map : nil
    }

    /// A section with its checksum.
    private static func section(_ table: UInt8, number: UInt8, _ content: (inout [UInt8]) -> Void) -> [UInt8]
    {
        var bytes: [UInt8] = [table, 0xB0, 0, 0, number, 0xC1, 0, 0]
        content(&bytes)
        let length = bytes.count + 4 - 3
        bytes[1] |= UInt8(truncatingIfNeeded: length >> 8) & 0xF
        bytes[2] = UInt8(truncatingIfNeeded: length)
        let sum = CRC32.mpeg(bytes)
        return bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
