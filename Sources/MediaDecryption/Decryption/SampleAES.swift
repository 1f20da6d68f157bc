/// SAMPLE-AES of elementary streams: Apple's "MPEG-2 Stream Encryption Format for HTTP Live Streaming".
package struct SampleAES: Sendable {
    package let cipher: ContentCipher
    package let iv: [UInt8]

    package init(cipher: ContentCipher, iv: [UInt8]) {
        self.cipher = cipher
        self.iv = iv
    }

    /// How an audio stream is cut into frames.
    package enum Audio: Sendable {
        case adts, ac3, eac3
    }

    /// Decrypts the frames in a range, with ID3 tags before and between them: the first 16 bytes behind each header,
    /// and a partial block, are in the clear.
    ///
    /// - Parameter isLast: whether a truncated frame counts, too.
    /// - Returns: the end of the last frame; it is behind the range if a tag is longer, or if an invalid frame
    ///   follows.
    @discardableResult
    package func audio(_ bytes: inout [UInt8], _ range: Range<Int>, kind: Audio, isLast: Bool = true)
        throws(StoreError)
        -> Int
    {
        var start = range.lowerBound
        while start + 10 <= range.upperBound {
            if bytes[start...].starts(with: Self.tagMark) {
                start += 10 + (6..<10).reduce(0) { $0 << 7 | Int(bytes[start + $1] & 0x7F) }
                continue
            }
            guard let frame = Self.frame(bytes, at: start, kind) else { return .max }
            guard isLast || start + frame.size <= range.upperBound else { return start }
            let end = min(start + frame.size, range.upperBound)
            let first = start + frame.header + 16
            if first < end { try cipher.pattern(&bytes, first..<end, crypt: 1, skip: 0, iv: iv) }
            start += frame.size
        }
        return isLast ? .max : start
    }

    private static let tagMark = Array("ID3".utf8)

    private static func frame(_ bytes: [UInt8], at start: Int, _ kind: Audio) -> (header: Int, size: Int)? {
        switch kind {
        case .adts:
            guard bytes.number(at: start, 2) & 0xFFF6 == 0xFFF0 else { return nil }
            let size = Int(bytes.number(at: start + 3, 3) >> 5 & 0x1FFF)
            return size < 7 ? nil : (bytes[start + 1] & 1 == 1 ? 7 : 9, size)
        case .eac3:
            guard bytes.number(at: start, 2) == 0x0B77 else { return nil }
            return (0, Int(bytes.number(at: start + 2, 2) & 0x7FF) * 2 + 2)
        case .ac3:
            guard bytes.number(at: start, 2) == 0x0B77 else { return nil }
            return AC3Frame.size(bytes[start + 4]).map { (0, $0) }
        }
    }

    /// Decrypts an H.264 byte stream. Slices of more than 48 bytes are encrypted: after 32 bytes, one block in ten.
    /// Emulation prevention bytes of the encryption are removed; zeros behind the slice fill their place.
    package func video(_ bytes: inout [UInt8]) throws(StoreError) {
        var units = Self.units(bytes)
        units.removeAll { ![1, 5].contains(bytes[$0.lowerBound] & 0x1F) || $0.count <= 48 }
        for unit in units {
            var slice = Self.withoutEmulationPrevention(bytes[unit])
            guard slice.count > 48 else { continue }
            try cipher.pattern(&slice, 32..<slice.count, crypt: 1, skip: 9, iv: iv, keepsLast: true)
            slice += [UInt8](repeating: 0, count: unit.count - slice.count)
            bytes.replaceSubrange(unit, with: slice)
        }
    }

    /// The NAL units of a byte stream (ISO/IEC 14496-10, annex B), without start codes and zeros behind them.
    private static func units(_ bytes: [UInt8]) -> [Range<Int>] {
        var starts: [Int] = []
        var index = 2
        while index < bytes.count {
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1 {
                if bytes[index - 1] == 0 && bytes[index - 2] == 0 { starts.append(index + 1) }
                index += 3
            } else {
                index += 1
            }
        }
        return starts.enumerated().compactMap { position, start in
            var end = position + 1 < starts.count ? starts[position + 1] - 3 : bytes.count
            while end > start && bytes[end - 1] == 0 { end -= 1 }
            return start < end ? start..<end : nil
        }
    }

    private static func withoutEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit {
            if zeros >= 2 && byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        return bytes
    }
}

/// The length of an AC-3 frame (ETSI TS 102 366, table 4.13).
package enum AC3Frame {
    private static let rates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// The length of a frame in bytes, by the byte with sample rate and frame size code; `nil` for invalid codes.
    package static func size(_ code: UInt8) -> Int? {
        let index = Int(code & 0x3F)
        guard index / 2 < rates.count else { return nil }
        let rate = rates[index / 2]
        switch code >> 6 {
        case 0: return rate * 4
        case 1: return (rate * 320 / 147 + index % 2) * 2
        case 2: return rate * 6
        default: return nil
        }
    }
}
