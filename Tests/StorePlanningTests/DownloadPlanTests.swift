import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

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

    /// A gap with a key and an initialization section of its own, between two segments.
    private static let gapped = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-KEY:METHOD=AES-128,URI="one.key",IV=0x01
        #EXT-X-MAP:URI="one.mp4"
        #EXTINF:4,
        a.m4s
        #EXT-X-KEY:METHOD=AES-128,URI="data:,0123456789abcdef",IV=0x02
        #EXT-X-MAP:URI="gone.mp4"
        #EXT-X-GAP
        #EXTINF:4,
        b.m4s
        #EXT-X-KEY:METHOD=AES-128,URI="one.key",IV=0x01
        #EXT-X-MAP:URI="three.mp4"
        #EXTINF:4,
        c.m4s
        #EXT-X-ENDLIST

        """

    @Test(
        "keys and sections that only gaps need are neither fetched nor listed, and later ones keep their numbers"
    )
    func needsOfGaps() throws {
        let plan = DownloadPlan([try stream(Self.gapped)], sources: [])
        let sections = plan.renditions[0].units.filter { $0.kind == .initialization }
        #expect(sections.map(\.number) == [0, 2])
        #expect(plan.renditions[0].record(at: 0).initializations == 2)
        #expect(plan.keys.map(\.address) == ["https://cdn.example/v/one.key"])
        let body = String(decoding: plan.sources.last?.body ?? [], as: UTF8.self)
        #expect(body.contains("data:") && !body.contains("0123456789abcdef"))
        let served = ServedMediaPlaylist(
            try Playlists.parsedMedia(Self.gapped), keys: .none, format: .m4s)
        let lines = String(decoding: served.bytes, as: UTF8.self).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("#EXT-X-MAP") } == [
                "#EXT-X-MAP:URI=\"init-0.mp4\"", "#EXT-X-MAP:URI=\"init-2.mp4\"",
            ])
    }

    @Test("in a live stream the initialization section of a gap is not a unit, either")
    func needsOfLiveGaps() throws {
        let text = Self.gapped.replacing("#EXT-X-ENDLIST\n", with: "")
        let units = DownloadPlan([try stream(text)], sources: []).renditions[0].units
        #expect(units.filter { $0.kind == .initialization }.map(\.number) == [0, 2])
    }

    @Test("each key is fetched once, in the order of first use, for all renditions")
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

    @Test("a playlist with a great many keys in data: URIs is rid of them in one go", .timeLimit(.minutes(1)))
    func manyInlineKeys() {
        let keys = (0..<100_000).map { number in
            KeySource(address: "data:\(number)", uri: "\(number % 2 == 0 ? "data" : "DATA"):,key\(number)")
        }
        func body(_ uris: [String]) -> [UInt8] {
            Array(uris.map { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0)\"\r\n#EXTINF:4,\na.ts\n" }.joined().utf8)
        }
        let source = SourcePlaylist(
            rendition: "video", url: "", body: body(keys.map(\.uri) + ["data:,other"]))
        #expect(source.hiding(keys).body == body(keys.map(\.address) + ["data:,other"]))
        #expect(source.hiding([]).body == source.body)
    }

    @Test("the variant tells the duration, also when a rendition is longer")
    func duration() throws {
        let long = try stream(Playlists.media(["a", "b", "c"]), kind: .audio)
        let plan = DownloadPlan([long, try stream(Playlists.media(["a"]))], sources: [])
        #expect(plan.duration == 4)
    }

    @Test("a rendition that is carried in another one has no playlist")
    func carried() throws {
        let list = try AttributeList(parsing: "NAME=\"English\"")
        let muxed = ResolvedStream(
            selected: SelectedStream(kind: .audio, required: false, listings: [list]), url: "",
            container: .ts)
        let plan = DownloadPlan([try stream(Playlists.media(["a.ts"])), muxed], sources: [])
        let rows = plan.renditions.map { $0.record(at: 0) }
        #expect(rows.map(\.hasPlaylist) == [true, false])
        #expect(rows.map(\.segments) == [1, 0])
    }
}
