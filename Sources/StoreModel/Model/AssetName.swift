/// The names that users may give to assets.
package enum AssetName {
    /// The length of the longest name, in Unicode scalar values.
    package static let longest = 500

    /// Whether people can read the text as a name: it has a visible character, no NUL, and is not too long.
    package static func isName(_ text: String) -> Bool {
        text.unicodeScalars.count <= longest && !text.utf8.contains(0)
            && text.contains { !$0.isWhitespace }
    }

    /// The rule in a sentence.
    package static let rule = "A name has 1 to \(longest) characters, and not only spaces."
}
