/// The characters of ASCII that the syntaxes of playlists, subtitles, addresses and HTTP have in common.
extension UInt8 {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var formFeed: UInt8 { 0x0C }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var hash: UInt8 { 0x23 }
    @inlinable package static var dollar: UInt8 { 0x24 }
    @inlinable package static var percent: UInt8 { 0x25 }
    @inlinable package static var ampersand: UInt8 { 0x26 }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var hyphen: UInt8 { 0x2D }
    @inlinable package static var dot: UInt8 { 0x2E }
    @inlinable package static var slash: UInt8 { 0x2F }
    @inlinable package static var zero: UInt8 { 0x30 }
    @inlinable package static var colon: UInt8 { 0x3A }
    @inlinable package static var semicolon: UInt8 { 0x3B }
    @inlinable package static var lessThan: UInt8 { 0x3C }
    @inlinable package static var equals: UInt8 { 0x3D }
    @inlinable package static var greaterThan: UInt8 { 0x3E }
    @inlinable package static var questionMark: UInt8 { 0x3F }
    @inlinable package static var at: UInt8 { 0x40 }
    @inlinable package static var backslash: UInt8 { 0x5C }
    @inlinable package static var openBrace: UInt8 { 0x7B }
    @inlinable package static var closeBrace: UInt8 { 0x7D }

    /// SP or HTAB.
    @inlinable package var isBlank: Bool { self == .space || self == .tab }

    /// ASCII whitespace, as the WHATWG Infra standard defines it.
    @inlinable package var isWhitespace: Bool {
        self == .space || self == .lineFeed || self == .tab || self == .carriageReturn || self == .formFeed
    }

    @inlinable package var isDigit: Bool { self &- .zero < 10 }

    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable package var isHexDigit: Bool { hexValue != nil }

    /// The value of a hexadecimal digit of either case; `nil` for other bytes.
    @inlinable package var hexValue: UInt8? {
        if isDigit { return self &- .zero }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    /// The small letter of a capital; other bytes unchanged.
    @inlinable package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
