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

@Suite("Variables of renditions that come later", .timeLimit(.minutes(2)))
struct TrackVariableTests {
    /// Serves a stream with two languages; the playlist of the second one imports a variable.
    private func publish(_ value: String, on origin: OriginServer) {
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                "#EXT-X-DEFINE:NAME=\"tok\",VALUE=\"\(value)\"",
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "AUDIO=\"a\"")))
    }

    @Test("have the values of the time at which the renditions were added, not of the asset's beginning")
    func key() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Secret.key(OriginResource.pattern(16, seed: 71))
            let media = Media.ts(10, seed: 300)
            let encrypted = try ContentCipher(key).segment(media, iv: [UInt8](repeating: 0, count: 16))
            for folder in ["/v", "/en"] { fixture.origin.serveStream(folder, count: 1) }
            fixture.origin.serve("/fr/s0.ts", bytes: encrypted)
            fixture.origin.serve("/fr/k.key", bytes: key)
            let tags = "#EXT-X-DEFINE:IMPORT=\"tok\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k.key?t={$tok}\"\n"
            fixture.origin.serve("/fr/index.m3u8", text: Playlists.media(["s0.ts"], tags: tags))
            publish("one", on: fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            publish("two", on: fixture.origin)
            var wish = Selection()
            wish.audio = .matching(["fr"])
            #expect(try await fixture.store.addTracks(wish, to: token).names == ["audio-fr"])
            await fixture.store.untilSettled(token)
            #expect(fixture.origin.requests(for: "/fr/k.key").map(\.query) == ["t=two"])
            #expect(try fixture.clear(.segment(0), "ts", of: token, "audio-fr") == media)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }
}
