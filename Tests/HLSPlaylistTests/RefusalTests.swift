import HLSPlaylist
import Testing

@Suite("An invalid or too large playlist")
struct RefusalTests {
    @Test(
        "is refused with its reason and line",
        arguments: [
            ("", PlaylistError.Code.empty, 0), (" \n\t\r\n", .empty, 0), ("\u{FEFF}", .empty, 0),
            ("<!DOCTYPE html><html>", .webPage, 1), ("\n  <html>", .webPage, 2),
            ("{\"error\": 403}", .notAPlaylist, 1), ("#EXTM3U8\n", .notAPlaylist, 1),
            ("#EXTM3U\nhttp://h/a.mp3\nhttp://h/b.mp3\n", .missingDuration, 2),
            ("#EXTM3U\n#EXTINF:nan,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXTINF:1e308,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXTINF:-1,\na\n", .badDuration, 2), ("#EXTM3U\n#EXTINF:inf,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXTINF:,\na\n", .badDuration, 2), ("#EXTM3U\n#EXTINF:.,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXTINF:1.2.3,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXTINF:99999999999999999999,\na\n", .badDuration, 2),
            ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n#EXTINF:1,\na\n", .badInteger, 2),
            ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775807\n#EXTINF:1,\na\n", .badInteger, 2),
            ("#EXTM3U\n#EXTINF:1,\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9999999999\na\n", .badInteger, 3),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=\"AES\n#EXTINF:1,\na\n", .badAttributeList, 2),
            ("#EXTM3U\n#EXT-X-KEY:METHOD\n#EXTINF:1,\na\n", .badAttributeList, 2),
            ("#EXTM3U\n#EXT-X-STREAM-INF:=\na\n", .badAttributeList, 2),
            ("#EXTM3U\n#EXTINF:1,\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n", .mixedKinds, 4),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n#EXTINF:1,\na\n", .mixedKinds, 4),
            ("#EXTM3U\n#EXTINF:1,\na\u{0}b\n", .controlCharacter, 3),
        ])
    func refused(text: String, code: PlaylistError.Code, line: Int) throws {
        let error = try #require(refusal(text))
        #expect(error.code == code)
        #expect(error.line == line)
    }

    @Test("is refused when it is a binary file")
    func binary() {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 13) }
        #expect(refusal(bytes) != nil)
        #expect(refusal([0x47] + [UInt8](repeating: 0xFF, count: 187))?.code == .notAPlaylist)
        #expect(refusal([0xFF, 0xFE, 0x23, 0x00])?.code == .notAPlaylist)
    }

    @Test("is refused at the limit of a line, without reading the rest")
    func longLine() {
        let text = "#EXTM3U\n#EXTINF:1," + String(repeating: "x", count: 10_000_000)
        #expect(refusal(text)?.code == .overLimit(.lineLength(65536)))
        #expect(refusal(text)?.line == 2)
    }

    @Test("is refused at the limits of bytes, segments, streams, tags and attributes")
    func limits() {
        var limits = ParseLimits()
        limits.bytes = 20
        #expect(refusal("#EXTM3U\n#EXTINF:1,\nabc\n", limits: limits)?.code == .overLimit(.bytes(20)))
        limits = ParseLimits()
        limits.segments = 2
        let segment = "#EXTINF:1,\na\n"
        #expect(refusal("#EXTM3U\n\(segment)\(segment)", limits: limits) == nil)
        #expect(
            refusal("#EXTM3U\n\(segment)\(segment)\(segment)", limits: limits)?.code
                == .overLimit(.segments(2)))
        limits.otherTags = 1
        #expect(
            refusal("#EXTM3U\n#EXT-A\n#EXT-B\n\(segment)", limits: limits)?.code == .overLimit(.otherTags(1)))
        limits.attributes = 9
        let map = "#EXT-X-MAP:URI=\"a\"\n"
        #expect(refusal("#EXTM3U\n\(map)\(map)\(segment)", limits: limits)?.code == .overLimit(.attributes))
    }

    @Test("is refused with 100,000 variants, and with 100 key formats at once")
    func streams() {
        let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", count: 100_000)
        #expect(refusal("#EXTM3U\n" + variants)?.code == .overLimit(.streams(10_000)))
        func keys(_ count: Int) -> String {
            (0..<count).map { "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"\($0)\"\n" }.joined()
        }
        #expect(refusal("#EXTM3U\n\(keys(100))#EXTINF:1,\na\n")?.code == .overLimit(.keyFormats(16)))
        #expect(refusal("#EXTM3U\n\(keys(16))#EXTINF:1,\na\n") == nil)
    }

    @Test("may have as many unknown tags as variants, and no more")
    func unknownTags() {
        var limits = ParseLimits()
        limits.streams = 2
        let variant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n"
        #expect(refusal(variant + "#EXT-A\n#EXT-B\n", limits: limits) == nil)
        #expect(
            refusal(variant + "#EXT-A\n#EXT-B\n#EXT-C\n", limits: limits)?.code == .overLimit(.otherTags(2)))
    }

    @Test("is shown without secrets")
    func excerpts() throws {
        let secrets = [
            "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=data:SECRET,\"\n#EXTINF:1,\na\n",
            "#EXTM3U\n#EXT-X-DEFINE:NAME=a,VALUE=SECRET,\"\n#EXTINF:1,\na\n",
            "#EXTM3U\n#EXT-X-MAP:URI=\"a?SECRET\"\"\n#EXTINF:1,\na\n",
            "#EXTM3U\n#EXT-X-MAP:X=\",URI=\"SECRET\",\"\n#EXTINF:1,\na\n",
            "#EXTM3U\n#EXT-X-MAP:Y=https://u:SECRET@h/,\"\n#EXTINF:1,\na\n",
            "#EXTM3U\nhttps://u:SECRET@h/a?SECRET#SECRET\n",
        ]
        for text in secrets {
            let error = try #require(refusal(text))
            #expect(!error.description.contains("SECRET"))
        }
        #expect(refusal(secrets[5])?.excerpt == "https://h/a")
        let long = try #require(refusal("#EXTM3U\n#EXTINF:" + String(repeating: "y", count: 500)))
        #expect(long.excerpt.utf8.count < 100)
    }

    @Test("is told in one sentence")
    func sentences() {
        let error = PlaylistError(code: .badDuration, line: 7, excerpt: "#EXTINF:x")
        #expect(error.description == "line 7: the duration is not a number of seconds: #EXTINF:x")
        #expect(PlaylistError(code: .empty, line: 0).description == "the playlist is empty")
    }

    @Test("does not include optional tags in a form that cannot be read")
    func lenient() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:NaN
            #EXT-X-PLAYLIST-TYPE:
            #EXT-X-TARGETDURATION:5.2
            #EXT-X-SERVER-CONTROL:HOLD-BACK:12
            #EXT-X-START:PRECISE=YES
            #EXT-X-DATERANGE:ID="x
            #EXTINF:1,
            a
            """)
        #expect(playlist.version == nil && playlist.playlistType == nil && playlist.start == nil)
        #expect(playlist.targetDuration == 6 && playlist.serverControl == nil)
        #expect(playlist.segments[0].otherTags == ["#EXT-X-DATERANGE:ID=\"x"])
    }

    @Test("is refused with more parts than the limit of segments")
    func parts() {
        var limits = ParseLimits()
        limits.segments = 2
        func playlist(_ count: Int) -> String {
            let parts = (0..<count).map { "#EXT-X-PART:DURATION=1,URI=\"p\($0)\"\n" }
            return "#EXTM3U\n#EXTINF:1,\na\n" + parts.joined()
        }
        #expect(refusal(playlist(2), limits: limits) == nil)
        #expect(refusal(playlist(3), limits: limits)?.code == .overLimit(.segments(2)))
    }

    @Test("is refused with more variants than the limit of streams, and not with as many")
    func variants() {
        var limits = ParseLimits()
        limits.streams = 2
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n"
        #expect(refusal("#EXTM3U\n\(variant)\(variant)", limits: limits) == nil)
        let code = refusal("#EXTM3U\n\(variant)\(variant)\(variant)", limits: limits)?.code
        #expect(code == .overLimit(.streams(2)))
    }

    @Test("is shown up to the two slashes of a URL, and with a slash that stands alone")
    func slashes() {
        #expect(refusal("#EXTM3U\n#EXTINF:a/b/c,\na\n")?.excerpt == "#EXTINF:a/b/c,")
        #expect(refusal("#EXTM3U\n#EXTINF:http://h/SECRET,\na\n")?.excerpt == "#EXTINF:http:/…")
    }
}
