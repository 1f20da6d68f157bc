import Foundation
import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The other places of a stream")
struct AlternativeStreamsTests {
    private static let base = "https://a.example/film/master.m3u8"

    /// The addresses of a stream that one of the tags lists.
    private func urls(
        _ kind: RenditionKind, in text: String, steering: String? = nil,
        _ list: (MultivariantPlaylist) -> AttributeList
    ) throws -> [String] {
        let master = try Playlists.parsedMaster(text)
        let manifest = try steering.map { text in
            try JSONDecoder().decode(SteeringManifest.self, from: Data(text.utf8))
        }
        let streams = AlternativeStreams(master, base: Self.base, steering: manifest)
        return streams.urls(of: SelectedStream(kind: kind, required: true, listings: [list(master)]))
    }

    @Test("are those of redundant variants, and the chosen one comes last")
    func redundant() throws {
        let text = Playlists.master(
            Playlists.variant("v/index.m3u8", 900_000),
            Playlists.variant("https://b.example/v/index.m3u8", 900_000),
            Playlists.variant("low/index.m3u8", 300_000),
            Playlists.variant("https://c.example/v/index.m3u8", 900_000))
        let found = try urls(.variant, in: text) { $0.variants[0].attributes }
        #expect(
            found == [
                "https://b.example/v/index.m3u8", "https://c.example/v/index.m3u8",
                "https://a.example/film/v/index.m3u8",
            ])
    }

    @Test("come in the order of the steering server, then in that of the playlist")
    func pathways() throws {
        let variants = ["A", "B", "C", "D", "E"].map { name in
            Playlists.variant("https://\(name).example/v", 900_000, "PATHWAY-ID=\"\(name)\"")
        }
        let text = Playlists.master(variants.joined(separator: "\n"))
        let order = #"{"VERSION": 1, "PATHWAY-PRIORITY": ["D", "A", "C"]}"#
        let found = try urls(.variant, in: text, steering: order) { $0.variants[0].attributes }
        #expect(found == ["D", "C", "B", "E", "A"].map { "https://\($0).example/v" })
        let unsteered = try urls(.variant, in: text) { $0.variants[0].attributes }
        #expect(unsteered == ["B", "C", "D", "E", "A"].map { "https://\($0).example/v" })
    }

    @Test("of a variant with a stable ID are those of variants with the same ID, whatever else they say")
    func stableIDs() throws {
        let text = Playlists.master(
            Playlists.variant("v", 900_000, "STABLE-VARIANT-ID=\"s\""),
            Playlists.variant("https://b.example/v", 950_000, "STABLE-VARIANT-ID=\"s\""),
            Playlists.variant("https://b.example/w", 900_000, "STABLE-VARIANT-ID=\"t\""))
        let found = try urls(.variant, in: text) { $0.variants[0].attributes }
        #expect(found == ["https://b.example/v", "https://a.example/film/v"])
    }

    /// A stream with two copies of its I-frames and of its pictures, and others of another bit rate.
    private static let pictures = Playlists.master(
        Playlists.variant("v", 900_000),
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI=\"i\"",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=30000,URI=\"low-i\"",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI=\"https://b.example/i\"",
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=9000,URI=\"p\"",
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=3000,URI=\"low-p\"",
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=9000,URI=\"https://b.example/p\"")

    @Test("of I-frames and of pictures have the same attributes, and the chosen one comes last")
    func trickPlay() throws {
        let frames = try urls(.iframe, in: Self.pictures) { $0.iFrameStreams[0].attributes }
        #expect(frames == ["https://b.example/i", "https://a.example/film/i"])
        let pictures = try urls(.images, in: Self.pictures) { $0.imageStreams[0].attributes }
        #expect(pictures == ["https://b.example/p", "https://a.example/film/p"])
    }

    @Test("of a rendition are in the groups of the redundant variants, whatever their names are")
    func renditions() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "a", "en", "en"),
            Playlists.rendition("AUDIO", "b", "de", "https://b.example/de"),
            Playlists.rendition("AUDIO", "b", "en", "https://b.example/en"),
            Playlists.rendition("AUDIO", "other", "en", "https://c.example/en"),
            Playlists.variant("v", 900_000, "AUDIO=\"a\""),
            Playlists.variant("https://b.example/v", 900_000, "AUDIO=\"b\""),
            Playlists.variant("low", 300_000, "AUDIO=\"other\""))
        let found = try urls(.audio, in: text) { $0.renditions[0].attributes }
        #expect(found == ["https://b.example/en", "https://a.example/film/en"])
    }

    @Test("on a cloned pathway have their own addresses for variants and for renditions")
    func clones() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "a", "en", "en", "STABLE-RENDITION-ID=\"s\""),
            Playlists.variant("v", 900_000, "STABLE-VARIANT-ID=\"s\",AUDIO=\"a\""))
        let clone = #"""
            {"VERSION": 1, "PATHWAY-CLONES": [{"BASE-ID": ".", "ID": "B", "URI-REPLACEMENT": {
            "PER-VARIANT-URIS": {"s": "https://b.example/video"},
            "PER-RENDITION-URIS": {"s": "https://b.example/sound"}}}]}
            """#
        let video = try urls(.variant, in: text, steering: clone) { $0.variants[0].attributes }
        #expect(video == ["https://b.example/video", "https://a.example/film/v"])
        let sound = try urls(.audio, in: text, steering: clone) { $0.renditions[0].attributes }
        #expect(sound == ["https://b.example/sound", "https://a.example/film/en"])
    }

    @Test("do not exist for captions inside of a variant, and for a stream that no tag lists")
    func none() throws {
        let text = Playlists.master(
            Playlists.rendition("CLOSED-CAPTIONS", "c", "en", nil, "INSTREAM-ID=\"CC1\""),
            Playlists.variant("v", 900_000, "CLOSED-CAPTIONS=\"c\""))
        let captions = try urls(.closedCaptions, in: text) { $0.renditions[0].attributes }
        #expect(captions.isEmpty)
        let streams = AlternativeStreams(try Playlists.parsedMaster(text), base: Self.base)
        let unlisted = streams.urls(of: SelectedStream(kind: .variant, required: true, listings: []))
        #expect(unlisted.isEmpty)
    }
}
