/// Cookie files in Netscape's format: a line for each cookie, with seven fields that are separated by tabs.
package enum CookieFile {
    /// Whether the text has a cookie, or nothing but comments and blank lines.
    package static func isSound(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).filter { line in
            line.contains { !$0.isWhitespace } && (!line.hasPrefix("#") || line.hasPrefix("#HttpOnly_"))
        }
        return lines.isEmpty
            || lines.contains { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 7 }
    }

    /// The rule in a sentence.
    package static let rule =
        "A cookie file is in Netscape's format: a line for each cookie, with seven fields that tabs separate. `yt-dlp --cookies-from-browser NAME --cookies FILE` writes one, and so do add-ons of browsers."
}
