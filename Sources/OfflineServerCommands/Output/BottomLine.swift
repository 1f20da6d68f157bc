/// The line at the bottom of a terminal that is redrawn, such as a progress bar. Pure: each call returns the
/// characters to write.
struct BottomLine {
    /// The line as it is drawn now; empty without one.
    private(set) var text = ""

    /// Takes the cursor to the beginning of the line and erases it (ECMA-48: CR, EL).
    private static let erase = "\r\u{1B}[K"

    /// The characters that erase the line; empty without one.
    var erasure: String { text.isEmpty ? "" : Self.erase }

    /// Replaces the line.
    mutating func draw(_ line: String) -> String {
        text = line
        return Self.erase + line
    }

    /// Erases the line.
    mutating func clear() -> String {
        defer { text = "" }
        return erasure
    }

    /// Writes whole lines above it.
    func above(_ lines: String) -> String { erasure + lines + text }
}
