import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Bytes that no player can decode, in place of one unit of a stream.
@Suite("Bytes that are not media are never stored", .timeLimit(.minutes(3)))
struct RefusedMediaTests {
    /// Bytes that came, with a part of the sentence about them.
    struct Junk: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let words: String

        init(_ name: String, _ bytes: [UInt8], _ words: String) {
            (testDescription, self.bytes, self.words) = (name, bytes, words)
        }
    }

    private static let junk: [Junk] = [
        Junk("random bytes", OriginResource.pattern(188 * 20, seed: 5), "not media of any known format"),
        Junk("zeros", [UInt8](repeating: 0, count: 188 * 20), "all bytes are zero"),
        Junk("a page", Media.page, "a web page came instead of media"),
        Junk("an error in JSON", Array(#"{"error": "expired"}"#.utf8), "text came instead of media"),
        Junk("an error in XML", Array("<?xml version=\"1.0\"?><Error/>".utf8), "text came instead of media"),
        Junk("a picture", SampleMedia.wrappings[0].bytes, "a picture (PNG) came instead of media"),
        Junk("an animation", Array("GIF89a".utf8) + OriginResource.pattern(300), "a picture (GIF)"),
        Junk("an archive", [0x50, 0x4B, 3, 4] + OriginResource.pattern(300), "an archive (ZIP)"),
    ]

    private static let segments =
        junk + [
            Junk(
                "a hole", Media.ts(5) + [UInt8](repeating: 0, count: 9400) + Media.ts(5),
                "out of step from byte 940 on"),
            Junk("the middle of pictures", SampleMedia.continuations(20), "no picture or sound begins"),
        ]

    private static let sections = [
        Junk("a brand alone", SampleMedia.box("ftyp", [0, 0, 0, 0]), "describes no track"),
        Junk("a cut one", Array(Media.initialization().dropLast(9)), "ends inside the MP4 box moov"),
    ]

    private static let fragments = [
        Junk("a cut fragment", Array(Media.fragment(1).dropLast(9)), "ends inside the MP4 box mdat"),
        Junk("too few media data", SampleMedia.fragment(samples: [500, 900], missing: 90), "beyond its end"),
        Junk("no media data", Array(SampleMedia.fragment(samples: [500]).dropLast(508)), "lists are missing"),
    ]

    /// Checks that an asset has failed because of these bytes, names them, and does not play.
    private func expectFailure(_ asset: Asset, _ junk: Junk, at path: String) {
        #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
        let message = asset.failure?.message ?? ""
        #expect(message.contains(junk.words) && message.contains(path), "\(message)")
        #expect(!asset.availability.offline)
    }

    @Test("a segment of a transport stream", arguments: segments)
    func segment(_ junk: Junk) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.serve("/v/s1.ts", bytes: junk.bytes, contentType: "video/mp2t")
            let asset = try await fixture.download("/v/index.m3u8")
            expectFailure(asset, junk, at: "/v/s1.ts")
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
            #expect(fixture.origin.requests(for: "/v/s1.ts").count >= 2)
        }
    }

    /// Serves a stream of fragments.
    private func serveFragments(_ origin: OriginServer) {
        origin.serve("/v/i.mp4", bytes: Media.initialization())
        for number in 0..<2 { origin.serve("/v/s\(number).m4s", bytes: Media.fragment(UInt64(number + 1))) }
        let text = Playlists.media(["s0.m4s", "s1.m4s"], tags: "#EXT-X-MAP:URI=\"i.mp4\"\n")
        origin.serve("/v/index.m3u8", text: text)
    }

    @Test("an initialization section", arguments: junk + sections)
    func section(_ junk: Junk) async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragments(fixture.origin)
            fixture.origin.serve("/v/i.mp4", bytes: junk.bytes)
            expectFailure(try await fixture.download("/v/index.m3u8"), junk, at: "/v/i.mp4")
        }
    }

    @Test("a fragment", arguments: fragments)
    func fragment(_ junk: Junk) async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragments(fixture.origin)
            fixture.origin.serve("/v/s1.m4s", bytes: junk.bytes)
            expectFailure(try await fixture.download("/v/index.m3u8"), junk, at: "/v/s1.m4s")
        }
    }

    @Test("a fragment without an initialization section, or of another codec than that describes")
    func strangers() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragments(fixture.origin)
            let text = Playlists.media(["s0.m4s", "s1.m4s"])
            fixture.origin.serve("/v/index.m3u8", text: text)
            let asset = try await fixture.download("/v/index.m3u8")
            expectFailure(asset, Junk("", [], "has no initialization section"), at: "/v/s0.m4s")
        }
        try await StoreFixture.run { fixture async throws in
            serveFragments(fixture.origin)
            let movie = SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())])
            fixture.origin.serve("/v/i.mp4", bytes: movie)
            fixture.origin.serve("/v/s0.m4s", bytes: SampleMedia.fragment([SampleMedia.avcSample()]))
            fixture.origin.serve("/v/s1.m4s", bytes: SampleMedia.fragment([SampleMedia.hevcSample()]))
            let asset = try await fixture.download("/v/index.m3u8")
            expectFailure(asset, Junk("", [], "its samples are not H.264"), at: "/v/s1.m4s")
        }
    }

    @Test("a redundant variant has the media that came damaged", arguments: segments)
    func elsewhere(_ junk: Junk) async throws {
        let other = try OriginServer()
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 3)
            other.serveStream("/v", count: 3)
            fixture.origin.serve("/v/s1.ts", bytes: junk.bytes, contentType: "video/mp2t")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.variant("v/index.m3u8", 900_000),
                    Playlists.variant(other.url("/v/index.m3u8"), 900_000)))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(try fixture.stored(asset.token, "video/1.ts") == media[1])
        }
        other.stop()
    }

    @Test("a passing fault is asked away", arguments: segments)
    func passing(_ junk: Junk) async throws {
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/s1.ts", bytes: junk.bytes)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.serve("/v/s1.ts", bytes: media[1])
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
            #expect(try fixture.stored(token, "video/1.ts") == media[1])
        }
    }
}

/// Bytes of an unknown kind, and media that end too early.
@Suite("Possible media are stored", .timeLimit(.minutes(2)))
struct UnknownMediaTests {
    private static let matroska = [0x1A, 0x45, 0xDF, 0xA3] + OriginResource.pattern(3000)

    private func finding(of fixture: StoreFixture) throws -> Int? {
        try fixture.store.catalog.read { session in
            try session.value("SELECT finding FROM unit WHERE kind = 0 ORDER BY number DESC") as Int?
        }
    }

    @Test(
        "a known format that HLS does not have, and unknown bytes if no kind is declared",
        arguments: [
            ("s0.ts", matroska), ("s0", matroska), ("s0", OriginResource.pattern(5000, seed: 4)),
            ("s0.xyz", OriginResource.pattern(5000, seed: 4)),
        ])
    func unknown(_ name: String, _ bytes: [UInt8]) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/v/\(name)", bytes: bytes)
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media([name]))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(try fixture.stored(asset.token, "video/0.ts") == bytes)
            #expect(try finding(of: fixture) == UnitFinding.unknown.rawValue)
        }
    }

    @Test("unknown bytes are refused if other segments were media")
    func broken() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serve("/v/0", bytes: Media.ts(10))
            fixture.origin.serve("/v/1", bytes: OriginResource.pattern(5000, seed: 4))
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["0", "1"]))
            #expect(try await fixture.download("/v/index.m3u8").state == .failed)
        }
    }

    @Test("a segment that ends inside a packet twice in the same way is stored")
    func cutPacket() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let bytes = Array(Media.ts(10).dropLast(50))
            fixture.origin.serve("/v/s1.ts", bytes: bytes)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == bytes)
        }
    }

    @Test("packets with time stamps or checksums are whole, and asked for once", arguments: [192, 204])
    func widePackets(_ size: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let plain = Media.ts(11)
            let bytes = size == 192 ? SampleMedia.withTimes(plain) : SampleMedia.withChecksums(plain)
            fixture.origin.serve("/v/s1.ts", bytes: bytes)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(try fixture.stored(asset.token, "video/1.ts") == bytes)
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == 1)
        }
    }

    @Test(
        "text is no subtitles only where it is a page or an object",
        arguments: [
            ("1\n00:00:01,000 --> 00:00:02,000\nHi\n", true), ("[Script Info]\nTitle: x\n", true),
            ("<html>log in</html>", false), (#"{"error": 1}"#, false),
        ])
    func subtitles(_ text: String, isTaken: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveSubtitledStream()
            fixture.origin.serve("/s/s1.vtt", text: text, contentType: "text/vtt")
            let asset = try await fixture.download("/master.m3u8")
            let stored = try fixture.stored(asset.token, "subtitles-en/1.vtt")
            #expect(stored == (isTaken ? Array(text.utf8) : nil))
        }
    }
}
