import Foundation
import TestSupport
import Testing

@testable import OfflineServerCommands

@Suite("A page of the manual as text")
struct GuideTextTests {
    private func lines(_ page: String, width: Int = 80) -> [String] {
        GuideText(width: width).text(of: page).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    @Test(
        "has each row of a table as its first cell and a line of the others; rows without a first cell are left out"
    )
    func table() {
        let page = """
            | name | meaning |
            |---|---|
            | a | one |
            | b | |
            | | two |
            """
        #expect(lines(page) == ["  name", "      meaning", "  a", "      one", "  b"])
    }

    @Test("is wrapped where a line would get wider than the terminal")
    func wrapping() {
        #expect(lines("aaa bbb\nccc", width: 11) == ["aaa bbb ccc"])
        #expect(lines("aaa bbb\nccc", width: 10) == ["aaa bbb", "ccc"])
        #expect(lines("aaaaaa bbb", width: 4) == ["aaaaaa", "bbb"])
        #expect(lines("- aaa bbb", width: 5) == ["- aaa", "  bbb"])
    }

    @Test("has lines of code as they are, and nothing of comments")
    func code() {
        let page = "before\n```sh\n# a  b\n\n- c\n```\nafter"
        #expect(lines(page) == ["before", "    # a  b", "    ", "    - c", "after"])
        #expect(lines("a\n<!-- one -->\nb\n<!-- two\nlines -->\nc") == ["a b c"])
    }

    @Test("has each heading and each item of a list in a line of its own")
    func blocks() {
        #expect(lines("a\n# Title\nb") == ["a", "Title", "b"])
        #expect(lines("- one\n- two\n1. three\n2. four") == ["- one", "- two", "1. three", "2. four"])
    }

    @Test("has one blank line where the page has several, and none at its beginning")
    func blanks() {
        #expect(lines("\n\na\n\n\nb\n") == ["a", "", "b", ""])
    }

    @Test("has no marks, and names the command of a linked page")
    func marks() {
        #expect(lines("**a** *bb* `c` [d](https://h/d.md)") == ["a bb c d"])
        #expect(lines("[a](how-to/players.md#x), [b](players.md)") == ["a (help players), b (help players)"])
        #expect(lines("[a](../reference/settings.md)") == ["a (help reference/settings)"])
    }

    @Test("has bold headings and first cells only where that is wanted")
    func bold() {
        #expect(GuideText().text(of: "# a\n| b | c |") == "a\n  b\n      c\n")
        #expect(GuideText().text(of: "# a\n| `b\\|c` | d |") == "a\n  b|c\n      d\n")
        let bold = GuideText(isColored: true).text(of: "# a\n| b | c |")
        #expect(bold == "\u{1B}[1ma\u{1B}[0m\n\u{1B}[1m  b\u{1B}[0m\n      c\n")
    }
}

@Suite("The pages of the manual beside a program")
struct GuideTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func guides(_ pages: [String: String], commands: Set<String> = []) throws -> [Guide] {
        for (name, text) in pages { try folder.write(Array(text.utf8), to: "\(DemoAsset.bundle)/\(name)") }
        return Guide.all(besides: URL(fileURLWithPath: folder.file("program")), commands: commands)
    }

    @Test("are those of its own folder first, then those of the others, each by name")
    func order() throws {
        let guides = try guides([
            "b.md": "", "a.md": "", "picture.png": "", "reference/c.md": "", "how-to/z.md": "",
            "how-to/d.md": "", "explanation/e.md": "",
        ])
        #expect(guides.map(\.name) == ["a", "b", "d", "z", "e", "c"])
        #expect(Guide.all(besides: nil, commands: []).isEmpty)
    }

    @Test("have the folder in their names where a command or an earlier page has the name")
    func names() throws {
        let guides = try guides(
            ["api.md": "", "reference/api.md": "", "reference/settings.md": "", "reference/urls.md": ""],
            commands: ["settings"])
        #expect(guides.map(\.name) == ["api", "reference/api", "reference/settings", "urls"])
    }

    @Test("have their first heading as a title, or else their name")
    func titles() {
        #expect(Guide(name: "a", page: "<!-- x -->\n## No\n# Yes: it is\n# Later\n").title == "Yes: it is")
        #expect(Guide(name: "a", page: "no heading").title == "a")
    }
}
