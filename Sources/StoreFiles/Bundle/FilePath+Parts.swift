package import SystemPackage

/// The parts of a path, found by one look for its last slash. `removingLastComponent()`, `lastComponent` and
/// `starts(with:)` parse all components for each call, in a debug build for milliseconds; each stored segment needs
/// several of these.
extension FilePath {
    /// The folder that the path's place is in: `/a` for `/a/b`, nothing for `b`, and the root for the root.
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

    /// Whether the path is this folder, or names a place in it. Both must be normalized.
    package func isIn(_ folder: FilePath) -> Bool {
        let (own, outer) = (string.utf8, folder.string.utf8)
        guard own.starts(with: outer) else { return false }
        return own.count == outer.count || outer.last == Self.slash
            || own[own.index(own.startIndex, offsetBy: outer.count)] == Self.slash
    }

    private static let slash = UInt8(ascii: "/")
}
