package import SystemPackage

/// The parts of a path, found by a search for its last slash. In a debug build, `removingLastComponent()`,
/// `lastComponent`, `starts(with:)` and `lexicallyNormalized()` take milliseconds, since each parses all components
/// several times. Each stored segment needs several of these parts.
extension FilePath {
    /// The folder of the file or folder that the path names: `/a` for `/a/b`, nothing for `b`, and the root for the root.
    package var parent: FilePath {
        let text = string
        guard let slash = text.utf8.lastIndex(of: Self.slash) else { return FilePath() }
        return FilePath(slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// The last component: `b` for `/a/b`, and nothing for the root.
    package var name: String {
        let text = string
        guard let slash = text.utf8.lastIndex(of: Self.slash) else { return text }
        return String(text[text.utf8.index(after: slash)...])
    }

    /// The path without the components `.` and `..`, as `lexicallyNormalized()` gives it.
    package var normalized: FilePath {
        let hasDots = string.utf8.split(separator: Self.slash).contains { $0.first == UInt8(ascii: ".") }
        return hasDots ? lexicallyNormalized() : self
    }

    /// Whether the path is this folder, or names a file or folder in it. Both paths must be normalized.
    package func isIn(_ folder: FilePath) -> Bool {
        let (own, outer) = (string.utf8, folder.string.utf8)
        guard own.starts(with: outer) else { return false }
        return own.count == outer.count || outer.last == Self.slash
            || own[own.index(own.startIndex, offsetBy: outer.count)] == Self.slash
    }

    private static let slash = UInt8(ascii: "/")
}
