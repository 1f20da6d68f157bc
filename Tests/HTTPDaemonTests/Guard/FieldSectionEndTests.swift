import Testing

@testable import HTTPDaemon

@Suite("A section of field lines")
struct FieldSectionEndTests {
    /// `text` with the marks libmicrohttpd leaves: `:` and each byte of CR LF become NUL.
    private func read(_ text: String) -> FieldLines? {
        FieldLines(text.utf8.map { $0 == UInt8(ascii: ":") || $0 == 13 || $0 == 10 ? 0 : $0 })
    }

    @Test(
        "ends with an empty line, of which both marks are there",
        arguments: [("\r\n", 0), ("A:1\r\n\r\n", 1)])
    func whole(text: String, count: Int) throws { #expect(try #require(read(text)).count == count) }

    @Test(
        "that ends in another way is refused",
        arguments: [
            "\rx", "x\n", "A:1\r\n\rx", "A:1\r\n\r ", "A:1\r\nx\n", "A:1\r\n \n", "A:1\r\n\r",
            "A:1\r\n\r\n\r",
        ])
    func refused(text: String) { #expect(read(text) == nil) }
}
