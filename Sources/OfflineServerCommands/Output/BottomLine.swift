/// The line at the bottom of a terminal that is drawn again and again, such as a progress bar. Pure: each call returns
/// what to write.
struct BottomLine {
    /// The line as it is drawn now; empty when there is none.
    private(set) var text = ""

    /// Takes the cursor to the beginning of the line and erases it (ECMA-48: CR, EL).
    private static let erase = "\r\u{1B}[K"

    /// The characters that take the line away before others are written; empty when there is none.
    var erasure: String { text.isEmpty ? "" : Self.erase }

    /// Draws the line in the place of the one before.
    mutating func draw(_ line: String) -> String {
        text = line
        return Self.erase + line
    }

    /// Takes the line away.
    mutating func clear() -> String {
        defer { text = "" }
        return erasure
    }

    /// Writes whole lines above it.
    func above(_ lines: String) -> String { erasure + lines + text }
}
