/// The byte stream format of H.264 and H.265 (ISO/IEC 14496-10 and 23008-2, annex B).
enum ByteStream {
    /// One NAL unit between start codes.
    struct Unit {
        /// The offset of its start code.
        let code: Int
        /// The offset of its header.
        let start: Int
        /// The offset of its end; the zeros behind it do not count.
        let end: Int
    }

    /// More units than the pictures of any segment have.
    private static let mostUnits = 1 << 20

    /// All units that have a header.
    static func units(in data: [UInt8]) throws(SampleError) -> [Unit] {
        let codes = startCodes(in: data)
        guard codes.count <= mostUnits else { throw .tooLarge }
        var units: [Unit] = []
        units.reserveCapacity(codes.count)
        for (index, code) in codes.enumerated() {
            var end = index + 1 < codes.count ? codes[index + 1] : data.count
            while data[end - 1] == 0 { end -= 1 }
            if end > code + 3 { units.append(Unit(code: code, start: code + 3, end: end)) }
        }
        return units
    }

    /// The offsets of the bytes 0, 0, 1.
    private static func startCodes(in data: [UInt8]) -> [Int] {
        var codes: [Int] = []
        let bytes = data.span
        var place = 2
        // A third byte above 1 rules out three places at once.
        while place < bytes.count, codes.count <= mostUnits {
            let third = bytes[place]
            if third > 1 {
                place += 3
            } else if third == 0 {
                place += 1
            } else {
                if bytes[place - 1] == 0, bytes[place - 2] == 0 { codes.append(place - 2) }
                place += 3
            }
        }
        return codes
    }

    /// The payload of a unit without the bytes that keep start codes out of it (section 7.3.1).
    ///
    /// - Parameter limit: bytes of the unit that are read at most.
    static func payload(_ data: [UInt8], _ range: Range<Int>, limit: Int = .max) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(min(range.count, limit))
        var zeros = 0
        for byte in data[range].prefix(limit) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            payload.append(byte)
        }
        return payload
    }
}
