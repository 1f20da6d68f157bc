extension String {
    /// The number of columns in a terminal: wide and full-width characters (UAX #11) take two, combining marks none.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text, filled with blanks up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

extension Character {
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        // Emoji, also those of several scalars.
        if first.properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    /// Hangul, ideographs with their punctuation, kana, compatibility and full-width forms.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
