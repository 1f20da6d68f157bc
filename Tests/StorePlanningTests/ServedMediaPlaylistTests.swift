import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// The media playlists that players get.
struct ServedMediaPlaylistTests {
    private static let base = "https://cdn.example/v/index.m3u8"
    private static let keys = [
        KeyRecord(id: "k0", url: "https://cdn.example/v/one.key", sealed: [1]),
        KeyRecord(id: "k1", url: "https://keys.example/two?t=1", sealed: [1]),
    ]

    private func served(_ text: String, _ format: ContainerFormat = .ts) throws -> [String] {
        let keys = ServedKeys(Self.keys, base: URIReference(Self.base))
        let playlist = ServedMediaPlaylist(try Playlists.parsedMedia(text), keys: keys, format: format)
        return String(decoding: playlist.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("segments are named by their media sequence numbers, and the whole is VOD")
    func names() throws {
        let lines = try served(
            Playlists.media(["https://cdn.example/a?token=1", "../b.jpg"], tags: "#EXT-X-MEDIA-SEQUENCE:7\n"))
        #expect(lines.filter { !$0.hasPrefix("#") } == ["7.ts", "8.ts"])
        #expect(lines.contains("#EXT-X-MEDIA-SEQUENCE:7"))
        #expect(lines.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
        #expect(lines.last == "#EXT-X-ENDLIST")
    }

    @Test("a key gets our address, and its method and IV stay as they are")
    func keyAddress() throws {
        let lines = try served(
            Playlists.media(
                ["a.ts"],
                tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"one.key\",IV=0x0000000000000000000000000000002A\n"))
        #expect(
            lines.contains(
                "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k0.key\",IV=0x0000000000000000000000000000002A"))
    }

    @Test("a key without an IV stays so: the numbers of the segments, which it means, are kept")
    func implicitIV() throws {
        let tags =
            "#EXT-X-MEDIA-SEQUENCE:1000\n#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/two?t=1\"\n"
        let lines = try served(Playlists.media(["a.ts"], tags: tags))
        #expect(lines.contains("#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k1.key\""))
        #expect(lines.contains("#EXT-X-MEDIA-SEQUENCE:1000"))
        #expect(lines.contains("1000.ts"))
    }

    @Test("keys change, end and come back where they did")
    func rotation() throws {
        let lines = try served(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="one.key"
            #EXTINF:4,
            a.ts
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:4,
            b.ts
            #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/two?t=1"
            #EXTINF:4,
            c.ts
            #EXT-X-ENDLIST
            """)
        let telling = lines.filter { $0.hasPrefix("#EXT-X-KEY") || !$0.hasPrefix("#") }
        #expect(
            telling == [
                "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k0.key\"", "0.ts", "#EXT-X-KEY:METHOD=NONE", "1.ts",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k1.key\"", "2.ts",
            ])
    }

    @Test("of several key formats only identity is served")
    func keyFormats() throws {
        let tags = """
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="one.key",KEYFORMAT="identity"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:text/plain;base64,AAAA",KEYFORMAT="com.microsoft.playready"

            """
        let keys = try served(Playlists.media(["a.ts"], tags: tags)).filter { $0.hasPrefix("#EXT-X-KEY") }
        #expect(keys.count == 1)
        #expect(keys.first?.contains("URI=\"../keys/k0.key\"") == true)
    }

    @Test("initialization sections are files of ours, each once, in order, and byte ranges are gone")
    func maps() throws {
        let lines = try served(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"
            #EXTINF:4,
            #EXT-X-BYTERANGE:1000@700
            all.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="https://ads.example/init.mp4"
            #EXTINF:4,
            https://ads.example/1.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"
            #EXTINF:4,
            #EXT-X-BYTERANGE:1000@1700
            all.mp4
            #EXT-X-ENDLIST
            """, .m4s)
        let telling = lines.filter { $0.hasPrefix("#EXT-X-MAP") || !$0.hasPrefix("#") }
        #expect(
            telling == [
                "#EXT-X-MAP:URI=\"init-0.mp4\"", "0.m4s", "#EXT-X-MAP:URI=\"init-1.mp4\"", "1.m4s",
                "#EXT-X-MAP:URI=\"init-0.mp4\"", "2.m4s",
            ])
        #expect(!lines.contains { $0.contains("BYTERANGE") })
        #expect(lines.count { $0 == "#EXT-X-DISCONTINUITY" } == 2)
    }

    @Test("of converted segments has a section for each discontinuity, no keys, and gaps of both kinds")
    func converted() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="one.key"
            #EXTINF:4,
            a.ts
            #EXT-X-GAP
            #EXTINF:4,
            b.ts
            #EXT-X-DISCONTINUITY
            #EXTINF:4,
            c.ts
            #EXT-X-ENDLIST
            """
        let keys = ServedKeys(Self.keys, base: URIReference(Self.base))
        var playlist = ServedMediaPlaylist(
            try Playlists.parsedMedia(text), keys: keys, format: .ts, gaps: [2])
        playlist.isConverted = true
        let lines = String(decoding: playlist.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.filter { !$0.hasPrefix("#") } == ["0.m4s", "1.m4s", "2.m4s"])
        #expect(lines.count { $0 == "#EXT-X-GAP" } == 2 && !lines.contains { $0.contains("KEY") })
        #expect(
            lines.filter { $0.hasPrefix("#EXT-X-MAP") } == [
                "#EXT-X-MAP:URI=\"init-0.mp4\"", "#EXT-X-MAP:URI=\"init-1.mp4\"",
            ])
    }

    @Test("gaps, dates and local date ranges stay; tags with network addresses are removed")
    func tags() throws {
        let lines = try served(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            #EXT-X-DATERANGE:ID="chapter",START-DATE="2026-01-01T00:00:00Z",X-TITLE="One"
            #EXT-X-DATERANGE:ID="ad",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-01T00:00:00Z",X-ASSET-URI="ad.m3u8"
            #EXT-X-DATERANGE:ID="ads",START-DATE="2026-01-01T00:00:00Z",X-ASSET-LIST="ads.json"
            #EXT-X-DATERANGE:ID="far",START-DATE="2026-01-01T00:00:00Z",X-PAGE="https://shop.example"
            #EXTINF:4,
            a.ts
            #EXT-X-GAP
            #EXTINF:4,
            b.ts
            #EXT-X-DATERANGE:ID="late",START-DATE="2026-01-01T00:00:08Z",X-PAGE="https://shop.example"
            #EXT-X-ENDLIST
            """)
        #expect(lines.contains("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z"))
        #expect(lines.count { $0 == "#EXT-X-GAP" } == 1)
        #expect(
            lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") } == [
                "#EXT-X-DATERANGE:ID=\"chapter\",START-DATE=\"2026-01-01T00:00:00Z\",X-TITLE=\"One\"",
                "#EXT-X-DATERANGE:ID=\"far\",START-DATE=\"2026-01-01T00:00:00Z\"",
                "#EXT-X-DATERANGE:ID=\"late\",START-DATE=\"2026-01-01T00:00:08Z\"",
            ])
    }

    @Test(
        "a date range whose very name is an address is left out",
        arguments: ["ID=\"https://shop.example\"", "ID=\"a\",CLASS=\"https://shop.example\",END-ON-NEXT=YES"])
    func remoteNames(_ attributes: String) throws {
        let lines = try served(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            #EXT-X-DATERANGE:\(attributes),START-DATE="2026-01-01T00:00:00Z"
            #EXTINF:4,
            a.ts
            #EXT-X-ENDLIST
            """)
        #expect(!lines.contains { $0.hasPrefix("#EXT-X-DATERANGE") })
    }

    @Test("nothing remote is left of a playlist that names the network wherever it can")
    func nothingRemote() throws {
        let text = try served(
            """
            #EXTM3U
            #EXT-X-VERSION:9
            #EXT-X-TARGETDURATION:4
            #EXT-X-DEFINE:NAME="host",VALUE="https://cdn.example"
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3
            #EXT-X-PART-INF:PART-TARGET=1
            #EXT-X-KEY:METHOD=AES-128,URI="https://unknown.example/key"
            #EXT-X-MAP:URI="{$host}/init.mp4"
            #EXT-X-PART:DURATION=1,URI="https://cdn.example/p1"
            #EXTINF:4,
            {$host}/a.m4s
            #EXT-X-VENDOR:LINK=https://vendor.example
            #EXTINF:4,
            //cdn.example/b.m4s
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="https://cdn.example/p2"
            #EXT-X-RENDITION-REPORT:URI="https://cdn.example/other.m3u8"
            #EXT-X-ENDLIST
            """, .m4s
        ).joined(separator: "\n")
        #expect(!text.contains("//"))
        #expect(!text.contains("example"))
        #expect(!text.contains("{$"))
    }

    @Test("the served text is a valid playlist with the same durations and titles")
    func readsBack() throws {
        let source = Playlists.media(["a", "b"]).replacing(
            "#EXTINF:4,", with: "#EXTINF:3.996,A title, with a comma")
        let again = try Playlists.parsedMedia(try served(source).joined(separator: "\n"))
        #expect(again.segments.map(\.durationText) == ["3.996", "3.996"])
        #expect(again.segments.map(\.title) == ["A title, with a comma", "A title, with a comma"])
    }
}
