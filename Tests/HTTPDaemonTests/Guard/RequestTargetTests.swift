import Testing

@testable import HTTPDaemon

@Suite("A request target")
struct RequestTargetTests {
    private func read(_ text: String, isOptions: Bool = false) -> [String?]? {
        RequestTarget(Array(text.utf8), isOptions: isOptions).map { [$0.authority, $0.path, $0.query] }
    }

    @Test("in origin form is path and query, as they came")
    func origin() {
        #expect(read("/") == [nil, "/", nil])
        #expect(read("/a%2Fb/../c") == [nil, "/a%2Fb/../c", nil])
        #expect(read("/a?b=c?d") == [nil, "/a", "b=c?d"])
        #expect(read("/a?") == [nil, "/a", ""])
        #expect(read("//evil.test/a") == [nil, "//evil.test/a", nil])
    }

    @Test("in absolute form has an authority besides")
    func absolute() {
        #expect(read("http://a.test/b?c") == ["a.test", "/b", "c"])
        #expect(read("HTTP://a.test:8090") == ["a.test:8090", "/", nil])
        #expect(read("http://[::1]:1?q") == ["[::1]:1", "/", "q"])
        #expect(read("http://a.test", isOptions: true) == ["a.test", "*", nil])
    }

    @Test("in asterisk form is for OPTIONS only")
    func asterisk() {
        #expect(read("*", isOptions: true) == [nil, "*", nil])
        #expect(read("*") == nil)
    }

    @Test(
        "of another kind is refused",
        arguments: [
            "", "a", "a.test:80", "ftp://a.test/", "https://a.test/", "http://", "http:///a",
            "http://u@a.test/",
            "http://a.test:99999/", "http://a b/", "/a b", "/a#b", "/a\tb", "/é", "/a\u{0}", "**",
            "http://[::1/",
        ])
    func invalid(text: String) { #expect(read(text, isOptions: true) == nil) }
}
