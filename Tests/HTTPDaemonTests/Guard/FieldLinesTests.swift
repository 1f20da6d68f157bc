import Testing

@testable import HTTPDaemon

@Suite("Field lines")
struct FieldLinesTests {
    /// `text` with the marks libmicrohttpd leaves: `:` and each byte of CR LF become NUL.
    private func read(_ text: String) -> FieldLines? {
        FieldLines(text.utf8.map { $0 == UInt8(ascii: ":") || $0 == 13 || $0 == 10 ? 0 : $0 })
    }

    @Test("are found by name, in upper or lower case, in order")
    func values() throws {
        let lines = try #require(read("A: 1\r\nb:2 \r\na:\t3\t\r\nEmpty:\r\n\r\n"))
        #expect(lines.values(of: "a") == ["1", "3"])
        #expect(lines.values(of: "b") == ["2"])
        #expect(lines.values(of: "empty") == [""])
        #expect(lines.values(of: "c") == [])
        #expect(lines.all.count == 4)
    }

    @Test("tell whether blanks follow a value")
    func trailingBlanks() throws {
        let lines = try #require(read("A: 1\r\nb:2 \r\nC:\t3\t\r\nEmpty: \r\n\r\n"))
        #expect(!lines.hasTrailingBlanks("a"))
        #expect(lines.hasTrailingBlanks("b"))
        #expect(lines.hasTrailingBlanks("c"))
        #expect(!lines.hasTrailingBlanks("empty"))
    }

    @Test("may be none")
    func none() throws { #expect(try #require(read("\r\n")).all.isEmpty) }

    @Test(
        "that could be read in two ways are refused",
        arguments: [
            "", "\r", "A:1\r\n", "A:1\n\r\n", "A:1\r\n\n", "A :1\r\n\r\n", " A:1\r\n\r\n",
            "A:1\r\n b\r\n\r\n",
            "A:1\u{1}\r\n\r\n", "A:1\u{7F}\r\n\r\n", ":1\r\n\r\n", "A(:1\r\n\r\n", "A\r\n\r\n",
            "A:1\u{0}2\r\n\r\n",
            "A:1\u{0}\r\n\r\n", "\u{0}A:1\r\n\r\n", "A:1\r\n\u{0}\r\nB:2\r\n\r\n", "A:1\r\n\r\nB:2\r\n\r\n",
            "é:1\r\n\r\n",
        ])
    func refused(text: String) { #expect(read(text) == nil) }
}
