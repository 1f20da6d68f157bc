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

/// Streams that can't be downloaded: each is refused with its reason, and nothing is left behind.
struct RefusalTests {
    private func expectRefusal(
        _ expected: String, _ path: String = "/index.m3u8", _ serve: @Sendable (OriginServer) -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            let error = await fixture.refusal(path)
            #expect(error?.text.hasPrefix(expected) == true, "\(error?.text ?? "accepted")")
            #expect(try fixture.isEmpty)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test("a live stream")
    func live() async throws {
        try await expectRefusal("ineligible(.live)") {
            $0.serve("/index.m3u8", text: Playlists.media(["a.ts"], end: false))
        }
    }

    @Test("a playlist of type VOD is finite, though its end is not marked")
    func unmarkedEnd() async throws {
        try await StoreFixture.run { fixture async throws in
            let tags = "#EXT-X-PLAYLIST-TYPE:VOD\n"
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"], tags: tags, end: false))
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }

    @Test("a stream with keys for other systems only, named")
    func drm() async throws {
        let tags = """
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://secret",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:secret",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"

            """
        try await expectRefusal(#"ineligible(.drm(["FairPlay", "Widevine"]))"#) {
            $0.serve("/index.m3u8", text: Playlists.media(["a.ts"], tags: tags))
        }
    }

    @Test("a stream whose end only is encrypted for another system")
    func lateDRM() async throws {
        try await expectRefusal(#"ineligible(.drm(["FairPlay"]))"#) {
            $0.serve(
                "/index.m3u8",
                text: Playlists.media(["a.ts"], end: false)
                    + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
                    + "#EXTINF:4,\nb.ts\n#EXT-X-ENDLIST\n")
        }
    }

    @Test("a playlist without segments")
    func empty() async throws {
        try await expectRefusal("ineligible(.empty)") { $0.serve("/index.m3u8", text: Playlists.media([])) }
    }

    @Test(
        "a playlist that names media by a URL that is never fetched",
        arguments: ["file:///etc/passwd", "ftp://x/secret.ts", "data:video/mp2t,secret"])
    func scheme(_ uri: String) async throws {
        let text = Playlists.media(["a.ts", uri])
        let scheme = uri.prefix { $0 != ":" }
        try await expectRefusal("ineligible(.unsupportedScheme(\"\(scheme)\"))") {
            $0.serve("/index.m3u8", text: text)
        }
        let origin = try OriginServer()
        origin.serve("/index.m3u8", text: text)
        let inspector = try StreamInspector(url: origin.url("/index.m3u8"))
        #expect(try await inspector.offer().reasons.map(\.name) == ["unsupported-scheme"])
        await inspector.close()
    }

    @Test("a multivariant playlist whose variant is a multivariant playlist")
    func nested() async throws {
        try await expectRefusal("ineligible(.nestedMultivariant)", "/master.m3u8") {
            $0.serve("/master.m3u8", text: Playlists.master(Playlists.variant("inner.m3u8", 1)))
            $0.serve("/inner.m3u8", text: Playlists.master(Playlists.variant("v.m3u8", 1)))
        }
    }

    @Test("a multivariant playlist that names itself")
    func selfNaming() async throws {
        try await expectRefusal("ineligible(.nestedMultivariant)", "/master.m3u8") {
            $0.serve("/master.m3u8", text: Playlists.master(Playlists.variant("master.m3u8", 1)))
        }
    }

    @Test("a playlist beyond the limit of its size")
    func tooLarge() async throws {
        try await expectRefusal("transfer(") {
            $0.serve("/index.m3u8", text: "#EXTM3U\n")
            $0.fault("/index.m3u8", .contentLength("33554433"))
        }
    }

    @Test("of too many renditions, the first ones are stored, and the others are reported")
    func manyRenditions() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serveSubtitles("/s")
            let count = TransferLimits.playlists + 20
            let lines = (0..<count).map { number in
                Playlists.rendition("SUBTITLES", "s", "x-\(number)", "s/index.m3u8?\(number)")
            }
            let master = Playlists.master(
                lines.joined(separator: "\n"), Playlists.variant("v/index.m3u8", 1000, "SUBTITLES=\"s\""))
            fixture.origin.serve("/master.m3u8", text: master)
            let added = try await fixture.store.intake.add(
                AssetRequest(url: fixture.origin.url("/master.m3u8")), isHeld: true)
            #expect(added.lost.count == 21)
            #expect(fixture.origin.requests.count == 1 + TransferLimits.playlists)
        }
    }

    @Test("all playlists of an asset together have a limit of their own")
    func playlistBudget() throws {
        let budget = PlaylistBudget()
        try budget.enter()
        try budget.take(TransferLimits.playlistBytes)
        #expect(throws: StoreError.self) { try budget.enter() }
        #expect(throws: StoreError.self) { try budget.take(1) }
    }

    @Test("a web page, a picture, nothing at all", arguments: [Media.page, Array("GIF89a".utf8), []])
    func noPlaylist(_ bytes: [UInt8]) async throws {
        try await expectRefusal("playlist(") { $0.serve("/index.m3u8", bytes: bytes) }
    }

    @Test("an origin that refuses, by its status", arguments: [401, 403, 404, 410, 500])
    func status(_ code: Int) async throws {
        try await expectRefusal("status(\(code)") { $0.fault("/index.m3u8", .status(code)) }
    }

    @Test(
        "a text that is not an http address",
        arguments: [
            "ftp://example.com/a.m3u8", "file:///etc/passwd", "index.m3u8", "", "http://", "javascript:1",
        ])
    func noAddress(_ text: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let error = await failure { _ = try await fixture.store.intake.add(AssetRequest(url: text)) }
            #expect(error?.text.hasPrefix("invalidURL(") == true)
            #expect(try fixture.isEmpty)
        }
    }

    @Test(
        "a key that the origin refuses, a page or fifteen bytes in its place",
        arguments: [
            (OriginFault.status(403), "key(.refused(403))"), (.status(404), "key(.refused(404))"),
            (.status(200, body: "<html>login</html>"), "key(.html)"),
            (.status(200, body: "123456789012345"), "key(.length(15))"),
            (.status(200, body: ""), "key(.length(0))"), (.status(503), "status(503, retryAfter: nil)"),
        ])
    func key(_ fault: OriginFault, _ expected: String) async throws {
        try await expectRefusal(expected, "/v/index.m3u8") {
            $0.serveStream("/v", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"one.key?token=secret\"\n")
            $0.fault("/v/one.key", fault)
        }
    }

    @Test(
        "a key at an address that is never fetched",
        arguments: ["file:///etc/passwd", "skd://x", "ftp://x/k"])
    func keyAddress(_ uri: String) async throws {
        try await expectRefusal("key(.unreachable)", "/v/index.m3u8") {
            $0.serveStream("/v", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n")
        }
    }

    @Test("a key that comes at the third try is taken")
    func lateKey() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = OriginResource.pattern(16)
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
            fixture.origin.serveStream("/v", count: 1, tags: tags, key: key)
            fixture.origin.serve("/v/k", bytes: key)
            fixture.origin.fault("/v/k", .status(503), times: 2)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }
}
