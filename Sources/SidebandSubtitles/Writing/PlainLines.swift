internal import ASCII

extension CueText {
    /// The text with some tags kept, for formats that know a few.
    ///
    /// - Parameter keeping: which tags are written, as `<b>` and `</b>`. The reading of ruby is put into
    ///   parentheses.
    package func flattened(keeping tags: Set<Tag>) -> String {
        var text = ""
        var open: [(end: Int, closing: String)] = []
        for (index, node) in nodes.enumerated() {
            while let last = open.last, last.end == index {
                text += last.closing
                open.removeLast()
            }
            switch node.content {
            case .text(let value): text += value
            case .timestamp: break
            case .element(let element):
                let marks = CueText.marks(of: element.tag, keeping: tags)
                text += marks.opening
                open.append((node.end, marks.closing))
            }
        }
        return open.reversed().reduce(text) { $0 + $1.closing }
    }

    private static func marks(of tag: Tag, keeping tags: Set<Tag>) -> (opening: String, closing: String) {
        if tags.contains(tag) { return ("<\(tag.rawValue)>", "</\(tag.rawValue)>") }
        return tag == .rubyText ? ("(", ")") : ("", "")
    }
}

extension String {
    /// The lines that are not blank. LF and CR end a line.
    var linesWithText: [Substring] {
        utf8.split { $0 == .lineFeed || $0 == .carriageReturn }
            .filter { line in !line.allSatisfy(\.isWhitespace) }
            .map(Substring.init)
    }
}
