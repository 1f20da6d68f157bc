import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("A look at what a stream offers", .timeLimit(.minutes(2)))
struct StreamInspectorTests {
    private func inspector(_ fixture: StoreFixture, _ path: String) throws -> StreamInspector {
        try fixture.store.inspector(url: fixture.origin.url(path), access: OriginAccess())
    }

    private func variants(_ uris: [String]) -> String {
        "#EXTM3U\n" + uris.map { Playlists.variant($0, 900_000) + "\n" }.joined()
    }

    @Test(
        "says whether the stream has an end",
        arguments: [("", true, false), ("", false, true), ("#EXT-X-PLAYLIST-TYPE:VOD\n", false, false)])
    func live(_ tags: String, _ hasEnd: Bool, _ isLive: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            let text = Playlists.media(["s0.ts", "s1.ts"], tags: tags, end: hasEnd)
            origin.serve("/v.m3u8", text: text)
            let offer = try await inspector(fixture, "/v.m3u8").offer()
            #expect(offer.isLive == isLive && offer.isEligible != isLive)
            #expect(offer.duration == 8)
        }
    }

    @Test("names each key once, without the parts that may be secret")
    func keys() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            func tag(_ uri: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n" }
            let segments = [
                "s0.ts\n" + tag("data:;base64,AAAA"), "s1.ts\n" + tag("k.key?signature=1"), "s2.ts",
            ]
            let text = Playlists.media(segments, tags: tag("k.key?signature=1"))
            origin.serve("/v.m3u8", text: text.replacing("\n\n", with: "\n"))
            let offer = try await inspector(fixture, "/v.m3u8").offer()
            #expect(offer.keys.map { $0["URI"]?.contains("signature") } == [false, false])
            #expect(offer.keys.last?["URI"] == "data:")
            #expect(offer.keys.map(\.tag) == ["EXT-X-KEY", "EXT-X-KEY"])
        }
    }

    @Test("is one at the first variant that can be read, and names those that can't be")
    func firstVariant() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serve("/master.m3u8", text: variants(["none.m3u8", "none.m3u8", "v/index.m3u8"]))
            origin.serveStream("/v", count: 3)
            let offer = try await inspector(fixture, "/master.m3u8").offer()
            #expect(offer.isEligible && offer.duration == 12 && offer.isLive == false)
            #expect(offer.lost.count == 1 && offer.variants.count == 3 && offer.bitrates == [900_000])
            #expect(origin.requests(for: "/none.m3u8").count == 1)
        }
    }

    @Test("is one at 16 variants at most", arguments: [(15, true), (16, false)])
    func most(_ absent: Int, _ isFound: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            let uris = (0..<absent).map { "none\($0).m3u8" }
            origin.serve("/master.m3u8", text: variants(uris + ["v/index.m3u8"]))
            origin.serveStream("/v", count: 1)
            let error = await failure { _ = try await inspector(fixture, "/master.m3u8").offer() }
            #expect(error?.text == (isFound ? nil : "status(404, retryAfter: nil)"))
        }
    }

    @Test("finds a multivariant playlist in the place of a variant unusable")
    func nested() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serve("/master.m3u8", text: variants(["inner.m3u8"]))
            origin.serve("/inner.m3u8", text: variants(["v/index.m3u8"]))
            let offer = try await inspector(fixture, "/master.m3u8").offer()
            #expect(!offer.isEligible && offer.reasons.count == 1 && offer.duration == nil)
        }
    }

    @Test("finds media without a key of their own usable only if keys may be missing")
    func sealed() async throws {
        try await StoreFixture.run { fixture async throws in
            let tag =
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
            fixture.origin.serveStream("/v", count: 1, tags: tag)
            let look = try inspector(fixture, "/v/index.m3u8")
            #expect(try await !look.offer().isEligible)
            #expect(try await look.offer(allowsMissingKeys: true).isEligible)
            let error = await failure { _ = try await look.preview(Selection()) }
            #expect(error?.text.hasPrefix("ineligible") == true)
            #expect(try await look.preview(Selection(), allowsMissingKeys: true).renditions.count == 1)
        }
    }

    @Test("previews what does not apply to it, and fails because of that if it is strict")
    func strict() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serveStream("/v", count: 1)
            let look = try inspector(fixture, "/v/index.m3u8")
            let terms = LicenseTerms(rental: 5)
            let preview = try await look.preview(Selection(), license: terms)
            #expect(preview.leftOut.map(\.wanted) == ["rental 5s"] && preview.duration == 4)
            let error = await failure {
                _ = try await look.preview(Selection(), license: terms, isStrict: true)
            }
            #expect(error?.text.hasPrefix("leftOut") == true)
            #expect(try await look.preview(Selection(), isStrict: true).leftOut.isEmpty)
        }
    }
}
