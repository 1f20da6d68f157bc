import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The secrets among some bytes")
struct SecretSpanTests {
    private func secrets(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return SecretSpans.ofAddress(bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    private func ofPlaylist(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return SecretSpans.ofPlaylist(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(
        "of an address are its user information and its query",
        arguments: [
            ("https://u:p@h/a?q=1#f?x", ["u:p", "q=1"]), ("//u@h/a", ["u"]), ("  //u@h", ["u"]),
            ("https://a@b@h/", ["a@b"]), ("https:\\\\u@h\\x@y", ["u"]), ("s.ts?q", ["q"]), ("?q", ["q"]),
        ])
    func addresses(_ address: String, _ wanted: [String]) {
        #expect(secrets(address) == wanted)
    }

    @Test(
        "are not found without an address, or at another place",
        arguments: [
            "", "?", "a?#", "a#?q", "https://@h/", "https://h/a@b", "a/b@c", "a//u@h", "x/@", "/", "a@/",
            "//",
            "https://h/?", "@", "a\\b@c",
        ])
    func none(_ address: String) {
        #expect(secrets(address) == [])
    }

    @Test("may be in an address with a question mark or an at sign alone")
    func likely() {
        #expect(SecretSpans.mayHave("a?b".utf8) && SecretSpans.mayHave("a@b".utf8))
        #expect(!SecretSpans.mayHave("https://h/a#b".utf8))
    }

    @Test("of a playlist are in its lines, its attributes, its comments and its variables")
    func playlists() {
        #expect(ofPlaylist("#EXTM3U\na.ts?one\r\n \t b.ts?two \n\nc.ts\n") == ["one", "two"])
        #expect(ofPlaylist("#EXT-X-KEY:METHOD=NONE,URI=\"k?one\",X=\"https://h/?two\"\n") == ["one", "two"])
        #expect(
            ofPlaylist("#EXT-X-DATERANGE:X-ASSET-LIST=\"l?a b\",URI=\"?c\",X-A=\"see https://u@h/ or l?d\"")
                == ["a b", "c", "u"])
        #expect(ofPlaylist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"secret\",X=\"b\"\n") == ["secret"])
        #expect(ofPlaylist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n") == [])
        #expect(ofPlaylist("#EXT-X-KEY:URI=\"k?open") == ["open"])
    }

    @Test("of a playlist are found only in texts that look like addresses")
    func nothing() {
        #expect(ofPlaylist("#EXTM3U\n#EXTINF:4,title?\na.ts\n") == [])
        #expect(ofPlaylist("#EXTINF:4,what? me@home\n   \n#?\n") == [])
        #expect(ofPlaylist("#EXT-X-MEDIA:NAME=\"who? me\"\na?") == [])
        #expect(ofPlaylist("") == [])
    }

    @Test("of a playlist are found in a tag behind blanks, and in a line that is a query alone")
    func oddLines() {
        #expect(ofPlaylist("  #EXT-X-KEY:METHOD=NONE,URI=\"k?one\"\n") == ["one"])
        #expect(ofPlaylist("??") == ["?"])
    }
}
