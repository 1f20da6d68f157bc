import HLSPlaylist
import Testing

@Suite("A report")
struct PlaylistReportTests {
    @Test("of a media playlist is one JSON object")
    func media() throws {
        let text =
            "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:1.5,\"a\\\u{1}\n#EXT-X-BYTERANGE:2@1\nü\n"
        let json = PlaylistReport(try Playlist(parsing: Array(text.utf8))).json
        #expect(json.hasPrefix(#"{"kind":"media","version":null,"targetDuration":null,"mediaSequence":0,"#))
        #expect(json.contains(#""duration":1.5,"title":"\"a\\\u0001","byterange":{"length":2,"offset":1}"#))
        #expect(json.contains(#""uri":"ü""#))
        #expect(json.contains(#""key":{"method":"AES-128","uri":"k","iv":null,"keyFormat":"identity"}"#))
    }

    @Test("of an error says so")
    func error() throws {
        let error = try #require(refusal("<html>"))
        #expect(
            PlaylistReport(error).json
                == #"{"valid":false,"error":"line 1: the answer is a web page, not a playlist","line":1}"#
        )
    }
}
