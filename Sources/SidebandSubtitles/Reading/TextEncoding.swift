/// How the text of a file is written.
public enum TextEncoding: String, Sendable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "UTF-8"
    /// UTF-16, either byte order, told by its byte order mark.
    case utf16 = "UTF-16"
    /// Windows-1252: assumed for bytes in no other encoding, except for WebVTT with UTF-8 characters in it.
    case windows1252 = "Windows-1252"

    /// The text in UTF-8 without a byte order mark, and how it was written.
    static func decode(_ bytes: [UInt8]) -> (text: [UInt8], encoding: TextEncoding) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (Array(bytes[3...]), .utf8) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (utf16(bytes, isLittleEndian: true), .utf16) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (utf16(bytes, isLittleEndian: false), .utf16) }
        if (try? UTF8Span(validating: bytes.span)) != nil { return (bytes, .utf8) }
        return isDamagedWebVTT(bytes) ? (bytes, .utf8) : (latin(bytes), .windows1252)
    }

    /// Whether invalid UTF-8 is WebVTT nevertheless, which is always UTF-8 (WebVTT §6.1): it has a character of
    /// several bytes, which is unlikely in another encoding.
    private static func isDamagedWebVTT(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: Array("WEBVTT".utf8)) else { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && $0 != "\u{FFFD}"
        }
    }

    private static func utf16(_ bytes: [UInt8], isLittleEndian: Bool) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func latin(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: String(CharacterReference.scalar(UInt32(byte))).utf8)
            }
        }
        return text
    }
}
