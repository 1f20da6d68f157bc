import Testing

@testable import HTTPDaemon

@Suite("The text of a request target")
struct RequestTargetCharacterTests {
    private func read(_ text: String, isOptions: Bool = false) -> RequestTarget? {
        RequestTarget(Array(text.utf8), isOptions: isOptions)
    }

    @Test("may have all visible characters but #, from ! to ~, and stays as it came")
    func visible() throws {
        let others = (UInt8(ascii: "!")...UInt8(ascii: "~")).filter {
            $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?")
        }
        let text = String(decoding: others, as: UTF8.self)
        let target = try #require(read("/\(text)?\(text)?"))
        #expect(target.path == "/\(text)")
        #expect(target.query == "\(text)?")
        #expect(target.authority == nil)
    }

    @Test(
        "has no blanks, controls or bytes above ASCII",
        arguments: [" ", "\u{1F}", "\u{0}", "\u{7F}", "\u{80}", "#"])
    func refused(character: String) {
        #expect(read("/\(character)") == nil)
        #expect(read("/a?\(character)b") == nil)
        #expect(read("http://a.test/\(character)") == nil)
    }

    @Test(
        "in absolute form has a host behind http://, or is refused",
        arguments: ["h", "http", "http:/", "http://", "HTTP://", "http:/a/"])
    func hostless(text: String) {
        #expect(read(text) == nil)
        #expect(read(text, isOptions: true) == nil)
    }

    @Test("in absolute form may have a host of one letter")
    func shortHost() {
        #expect(read("http://a")?.authority == "a")
        #expect(read("http://a")?.path == "/")
    }
}
