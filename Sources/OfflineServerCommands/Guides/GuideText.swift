/// A page in Markdown as text for a terminal. It supports the syntax that the manual uses: headings, paragraphs,
/// lists, tables, code blocks and inline marks.
struct GuideText {
    /// Columns of the terminal.
    var width = 80
    /// Whether headings and names may be bold.
    var isColored = false

    /// The page as lines, each with its line end.
    func text(of page: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        var isCode = false
        var isComment = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                lines += flow(&paragraph)
                isCode.toggle()
            } else if isCode {
                lines.append("    \(line)")
            } else if isComment || line.hasPrefix("<!--") {
                isComment = !line.contains("-->")
            } else if line.hasPrefix("|") {
                lines += flow(&paragraph) + row(line)
            } else if line.hasPrefix("#") {
                lines += flow(&paragraph) + [bold(plain(line.drop { $0 == "#" || $0 == " " }))]
            } else if line.isEmpty || line.hasPrefix("- ") || line.first?.isNumber == true {
                lines += flow(&paragraph)
                if line.isEmpty { lines.append("") } else { paragraph.append(line) }
            } else {
                paragraph.append(line)
            }
        }
        return Self.squeezed(lines + flow(&paragraph)).map { $0 + "\n" }.joined()
    }

    /// The lines with at most one blank line in a row.
    private static func squeezed(_ lines: [String]) -> [String] {
        zip([""] + lines, lines).filter { !($0.isEmpty && $1.isEmpty) }.map(\.1)
    }

    /// The gathered paragraph, wrapped at the width; later lines of a list item are indented.
    private func flow(_ paragraph: inout [Substring]) -> [String] {
        let text = plain(paragraph.joined(separator: " ")[...])
        paragraph = []
        return text.isEmpty ? [] : filled(text, indent: text.hasPrefix("- ") ? "  " : "")
    }

    private func filled(_ text: String, first: String = "", indent: String) -> [String] {
        var lines = [first]
        for word in text.split(separator: " ") {
            let isFresh = lines[lines.count - 1].allSatisfy { $0 == " " }
            if !isFresh, lines[lines.count - 1].count + 1 + word.count > width {
                lines.append(indent + word)
            } else {
                lines[lines.count - 1] += isFresh ? String(word) : " \(word)"
            }
        }
        return lines
    }

    /// A row of a table: its first cell, and the other cells in a line below. The line below the table's head and rows
    /// without a first cell are left out.
    private func row(_ line: Substring) -> [String] {
        // A bar within a cell is escaped.
        let cells = line.dropFirst().replacing("\\|", with: "\0").split(separator: "|")
            .map { plain($0).replacing("\0", with: "|") }
        guard let first = cells.first, !first.allSatisfy({ $0 == "-" }) else { return [] }
        let others = cells.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")
        return [bold("  \(first)")]
            + (others.isEmpty ? [] : filled(others, first: "      ", indent: "      "))
    }

    /// The text without the marks for links, emphasis and code.
    private func plain(_ text: Substring) -> String {
        let page =
            /\[([^\]]*)\]\((?:\.\.\/)?(?:(?:how-to|explanation)\/)?((?:reference\/)?[a-z-]+)\.md[^)]*\)/
        let marked = text.replacing(page) { "\($0.output.1) (help \($0.output.2))" }
            .replacing(/!?\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
            .replacing("**", with: "")
            .replacing(/\*(\w[^*]*\w)\*/) { $0.output.1 }.replacing("`", with: "").replacing("\\", with: "")
        return marked.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }

    private func bold(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
