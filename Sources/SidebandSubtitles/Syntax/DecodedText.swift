internal import ASCII

/// Text decoded by the rules of WebVTT §6.1: CR and CRLF become LF, NUL and invalid UTF-8 become U+FFFD.
struct DecodedText {
    var string: String
    /// Whether the bytes were invalid UTF-8.
    var wasRepaired: Bool

    /// - Parameter rewriting: whether the bytes may hold CR or NUL.
    init(_ bytes: [UInt8], _ range: Range<Int>, rewriting: Bool) {
        if rewriting {
            let plain = DecodedText.rewritten(bytes, range)
            self.init(plain: plain, 0..<plain.count)
        } else {
            self.init(plain: bytes, range)
        }
    }

    private init(plain bytes: [UInt8], _ range: Range<Int>) {
        if let text = try? UTF8Span(validating: bytes.span.extracting(range)) {
            string = String(copying: text)
            wasRepaired = false
        } else {
            string = String(decoding: bytes[range], as: UTF8.self)
            wasRepaired = true
        }
    }

    private static func rewritten(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(range.count)
        var previous: UInt8 = 0
        for byte in bytes[range] {
            switch byte {
            case .carriageReturn: plain.append(.lineFeed)
            case .lineFeed where previous == .carriageReturn: break
            case 0: plain.append(contentsOf: [0xEF, 0xBF, 0xBD])
            default: plain.append(byte)
            }
            previous = byte
        }
        return plain
    }
}
