/// Text that is safe inside one line of a playlist.
enum PlaylistLine {
    /// The text without the given characters, and without line ends and NUL.
    static func text(_ text: String, without characters: String = "") -> String {
        let unsafe = characters.unicodeScalars
        guard text.unicodeScalars.contains(where: { isBreak($0) || unsafe.contains($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isBreak(scalar) && !unsafe.contains(scalar) {
            result.append(scalar)
        }
        return String(result)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\0"
    }
}
