import HLSPlaylist
import Testing

@testable import AssetStore

/// What an asset consists of, worked out before a byte of media is fetched.
struct DownloadPlanTests {
    private func stream(
        _ text: String, kind: RenditionKind = .variant, url: String = "https://cdn.example/v/index.m3u8",
        _ attributes: String = "BANDWIDTH=1000000"
    ) throws -> ResolvedStream {
        let selected = SelectedStream(
            kind: kind, uri: "x", required: true, listings: [try AttributeList(parsing: attributes)])
        return ResolvedStream(
            selected: selected, url: url, playlist: try Playlists.parsedMedia(text), container: .ts)
    }

    @Test("segments have absolute addresses, their numbers and their times")
    func units() throws {
        let text = Playlists.media(
            ["a.ts", "../b.ts?x=1", "https://other.example/c.ts"], tags: "#EXT-X-MEDIA-SEQUENCE:5\n")
        let plan = DownloadPlan([try stream(text)], sources: [])
        let units = plan.renditions[0].units
        #expect(units.map(\.number) == [5, 6, 7])
        #expect(units.map(\.start) == [0, 4, 8])
        #expect(
            units.map(\.url) == [
                "https://cdn.example/v/a.ts", "https://cdn.example/b.ts?x=1", "https://other.example/c.ts",
            ])
        #expect(plan.duration == 12)
        #expect(units.allSatisfy { $0.state == .missing && !$0.isEncrypted })
    }

    @Test("byte ranges are resolved, and tell the exact size of the rendition")
    func byteRanges() throws {
        let plan = DownloadPlan(
            [
                try stream(
                    """
                    #EXTM3U
                    #EXT-X-TARGETDURATION:4
                    #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"
                    #EXTINF:4,
                    #EXT-X-BYTERANGE:1000@700
                    all.mp4
                    #EXTINF:4,
                    #EXT-X-BYTERANGE:500
                    all.mp4
                    #EXT-X-ENDLIST
                    """)
            ], sources: [])
        #expect(plan.renditions[0].units.map(\.kind) == [.initialization, .segment, .segment])
        #expect(
            plan.renditions[0].units.map(\.range) == [
                ClosedOffsetRange(offset: 0, length: 700), ClosedOffsetRange(offset: 700, length: 1000),
                ClosedOffsetRange(offset: 1700, length: 500),
            ])
        let record = plan.renditions[0].record(at: 0)
        #expect(record.expectedBytes == 2200)
        #expect(record.segments == 2)
        #expect(record.initializations == 1)
    }

    @Test("a gap is nothing to fetch and not counted, but keeps its place and its time")
    func gaps() throws {
        let text = Playlists.media(["a.ts", "b.ts", "c.ts"]).replacing(
            "#EXTINF:4,\nb.ts", with: "#EXT-X-GAP\n#EXTINF:4,\nb.ts")
        let plan = DownloadPlan([try stream(text)], sources: [])
        #expect(plan.renditions[0].units.map(\.state) == [.missing, .gap, .missing])
        #expect(plan.renditions[0].units.map(\.start) == [0, 4, 8])
        #expect(plan.renditions[0].record(at: 0).segments == 2)
    }

    @Test("each key is fetched once, in the order of first use, whoever needs it")
    func keys() throws {
        let first = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="one.key"
            #EXTINF:4,
            a.ts
            #EXT-X-KEY:METHOD=AES-128,URI="two.key",IV=0x01
            #EXTINF:4,
            b.ts
            #EXT-X-KEY:METHOD=AES-128,URI="one.key"
            #EXTINF:4,
            c.ts
            #EXT-X-ENDLIST
            """
        let second = Playlists.media(["d.ts"], tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"../v/two.key\"\n")
        let plan = DownloadPlan(
            [try stream(first), try stream(second, kind: .audio, url: "https://cdn.example/a/index.m3u8")],
            sources: [])
        #expect(
            plan.keys.map(\.address) == ["https://cdn.example/v/one.key", "https://cdn.example/v/two.key"])
        #expect(plan.renditions[0].units.map(\.isEncrypted) == [true, true, true])
    }

    @Test("the key of an initialization section is needed too")
    func sectionKey() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="map.key",IV=0x01
            #EXT-X-MAP:URI="init.mp4"
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:4,
            a.m4s
            #EXT-X-ENDLIST
            """
        let plan = DownloadPlan([try stream(text)], sources: [])
        #expect(plan.keys.map(\.address) == ["https://cdn.example/v/map.key"])
        #expect(plan.renditions[0].units.map(\.isEncrypted) == [true, false])
    }

    @Test("samples encrypted within their container do not hide it")
    func sampleEncryption() throws {
        let text = Playlists.media(["a.ts"], tags: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n")
        let plan = DownloadPlan([try stream(text)], sources: [])
        #expect(plan.keys.count == 1)
        #expect(plan.renditions[0].units.map(\.isEncrypted) == [false])
    }

    @Test("a key in a data: URI is known by its hash, so that it is not written into the catalog")
    func inlineKey() throws {
        let uri = "data:application/octet-stream;base64,AAECAwQFBgcICQoLDA0ODw=="
        let text = Playlists.media(["a.ts"], tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n")
        let plan = DownloadPlan([try stream(text)], sources: [])
        #expect(plan.keys.map(\.uri) == [uri])
        #expect(plan.keys.allSatisfy { $0.address.hasPrefix("data:") && !$0.address.contains("AAEC") })
    }

    @Test("the variant tells the duration, also when a rendition is longer")
    func duration() throws {
        let long = try stream(Playlists.media(["a", "b", "c"]), kind: .audio)
        let plan = DownloadPlan([long, try stream(Playlists.media(["a"]))], sources: [])
        #expect(plan.duration == 4)
    }
}
