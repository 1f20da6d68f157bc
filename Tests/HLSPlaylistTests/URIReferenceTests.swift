import HLSPlaylist
import Testing

@Suite("A URI reference")
struct URIReferenceTests {
    private func resolve(_ reference: String, _ base: String) -> String {
        URIReference(reference).resolved(against: URIReference(base)).description
    }

    @Test(
        "is resolved as RFC 3986 §5.4 lists",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ])
    func rfc3986(reference: String, expected: String) {
        #expect(resolve(reference, "http://a/b/c/d;p?q") == expected)
    }

    @Test("is encoded where it has raw characters, and never twice")
    func encoding() {
        #expect(
            resolve("a b|c.ts?x=ü y%20z&q=\"", "http://h/") == "http://h/a%20b%7Cc.ts?x=%C3%BC%20y%20z&q=%22")
        #expect(resolve("100%.ts", "http://h/") == "http://h/100%.ts")
        #expect(resolve(" \thttp://h/a\nb ", "http://x/") == "http://h/ab")
        #expect(resolve("a[1]~(2)!$&'*+,;=:@.ts", "http://h/") == "http://h/a[1]~(2)!$&'*+,;=:@.ts")
    }

    @Test("has slashes for backslashes, and dot segments even when they are encoded")
    func browsers() {
        #expect(resolve("a\\..\\b", "http://h/c/d") == "http://h/c/b")
        #expect(resolve("\\\\other\\x", "http://h/c") == "http://other/x")
        #expect(resolve("%2e%2E/x", "http://h/a/b/c") == "http://h/a/x")
        #expect(resolve("x?a\\b/../c", "http://h/") == "http://h/x?a%5Cb/../c")
    }

    @Test("keeps the query of the base only when it is empty")
    func query() {
        #expect(resolve("", "http://h/a?t=1") == "http://h/a?t=1")
        #expect(resolve("b", "http://h/a?t=1/2") == "http://h/b")
        #expect(resolve("?", "http://h/a?t=1") == "http://h/a?")
        #expect(resolve("b", "http://h") == "http://h/b")
    }

    @Test("of another scheme stays as it is")
    func opaque() {
        #expect(resolve("skd://key|1", "http://h/") == "skd://key|1")
        #expect(
            resolve("data:text/plain;base64,AA/../BB==", "http://h/") == "data:text/plain;base64,AA/../BB==")
        #expect(resolve("urn:uuid:1 2", "http://h/") == "urn:uuid:1 2")
    }

    @Test("tells its parts")
    func parts() {
        let url = URIReference("HTTPS://User:pw@Example.COM:8443/a.b/c.D.M3U8?x=1&y=%20z&x=2&n#f")
        #expect(url.scheme == "https" && url.host == "example.com" && url.port == 8443)
        #expect(url.path == "/a.b/c.D.M3U8" && url.query == "x=1&y=%20z&x=2&n" && url.fragment == "f")
        #expect(url.lastPathExtension == "m3u8")
        #expect(url.queryItems == ["x": "1", "y": " z", "n": ""])
        #expect(URIReference("http://h/a?b#c").withoutFragment.description == "http://h/a?b")
        #expect(URIReference("http://[::1]:80/").host == "[::1]")
        #expect(URIReference("http://[::1]:80/").port == 80)
        #expect(URIReference("http://[::1]/").port == nil)
        #expect(URIReference("a/b.c/d").lastPathExtension == nil)
        #expect(URIReference(".hidden").lastPathExtension == nil)
        #expect(URIReference("").path == "" && URIReference("").host == nil)
    }

    @Test("is shown without user, query and fragment, and of a data: URI only the scheme")
    func redacted() {
        #expect(URIReference("https://u:p@h:1/a/b?token=1#f").redacted == "https://h:1/a/b")
        #expect(URIReference("a/b?c").redacted == "a/b")
        #expect(URIReference("data:;base64,AAECAw==").redacted == "data:…")
        #expect(URIReference("//u@h/a").redacted == "//h/a")
    }

    @Test("is shown unchanged when it is not a URL, and without possible secrets when it is one")
    func shown() {
        #expect(URIReference.shown("a b.m3u8?token=1") == "a b.m3u8")
        #expect(URIReference.shown("a/b#token") == "a/b")
        #expect(URIReference.shown("data:text/plain,secret") == "data:…")
        #expect(URIReference.shown("http://u:p@h/a?token=1") == "http://h/a")
        #expect(URIReference.shown("//u:p@h/a?token=1") == "//h/a")
    }

    @Test("has invalid UTF-8 percent-encoded, and all other bytes unchanged")
    func bytes() throws {
        let uri: [UInt8] = Array("a".utf8) + [0x7E, 0x80, 0xFF, 0x7F] + Array("b".utf8)
        let text = Array("#EXTM3U\n#EXTINF:1,\n".utf8) + uri + [0x0A]
        guard case .media(let playlist) = try Playlist(parsing: text) else { throw WrongKind() }
        #expect(playlist.segments.map(\.uri) == ["a~%80%FF\u{7F}b"])
    }

    @Test("has every character encoded that no URI may have")
    func forbidden() {
        #expect(resolve("a\u{7F}\u{1}!~", "http://h/") == "http://h/a%7F%01!~")
        #expect(resolve("<>\"^`{|}", "http://h/") == "http://h/%3C%3E%22%5E%60%7B%7C%7D")
    }

    @Test("without a host or a slash at its start keeps its dot segments")
    func relativeDots() {
        #expect(resolve("a/../b", "c/d") == "c/a/../b")
        #expect(resolve("/a/../b", "c/d") == "/b")
        #expect(resolve("", "http://h") == "http://h/")
    }

    @Test("has a port only in its authority")
    func ports() {
        #expect(URIReference("/h:80/a").port == nil && URIReference("urn:80").port == nil)
        #expect(URIReference("//h:80/a").port == 80)
    }
}
