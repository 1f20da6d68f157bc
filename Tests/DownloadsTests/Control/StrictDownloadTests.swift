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

/// Requested items that the stream lacks are reported, or refused.
@Suite(.timeLimit(.minutes(2)))
struct StrictDownloadTests {
    /// A clear stream with English and German audio.
    private func publish(_ origin: OriginServer) {
        for (name, seed) in [("v", 1), ("en", 200), ("de", 300)] {
            origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
        }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="a""#)))
    }

    private static let xx = LeftOut(.audio, "xx", offered: ["en", "de"])
    private static let terms = [
        LeftOut(.licenseTerms, "rental 30d"), LeftOut(.licenseTerms, "play window 2d"),
    ]

    @Test("left out items are stored with the asset, whether it was resolved at once or in its turn")
    func kept() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            var request = fixture.request("/master.m3u8")
            request.selection.audio = .matching(["en", "xx"])
            request.license = LicenseTerms(rental: 30 * 86400, playWindow: 48 * 3600)
            let added = try await fixture.store.intake.add(request)
            #expect(added.leftOut == [Self.xx] + Self.terms)
            let entered = try await fixture.store.intake.enqueue([request]).tokens
            await fixture.store.start()
            for token in [added.token] + entered {
                await fixture.store.untilSettled(token)
                let asset = try fixture.store.reader.requireAsset(token)
                #expect(asset.state == .complete && asset.leftOut == [Self.xx] + Self.terms)
                #expect(asset.renditions.map(\.name) == ["video-360p", "audio-en"])
                #expect(asset.license.state == .none)
            }
        }
    }

    @Test("a strict request fails before a byte of media is asked for, and leaves nothing")
    func strict() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let audio = await fixture.refusal("/master.m3u8") {
                ($0.isStrict, $0.selection.audio) = (true, .matching(["en", "xx"]))
            }
            #expect(
                audio?.code.name == "left-out" && audio?.message.contains("the stream has en, de") == true)
            let rental = await fixture.refusal("/master.m3u8") {
                ($0.isStrict, $0.license) = (true, LicenseTerms(rental: 60))
            }
            #expect(rental?.message.contains("rental 1m; the stream is not encrypted") == true)
            #expect(try fixture.isEmpty)
            #expect(fixture.origin.paths.allSatisfy { $0.hasSuffix(".m3u8") })
            let fitting = try await fixture.download("/master.m3u8") {
                ($0.isStrict, $0.selection.audio) = (true, .matching(["de"]))
            }
            #expect(fitting.state == .complete && fitting.leftOut == [])
        }
    }

    @Test("a recording of a stream with an end is left out, and refused in a strict request")
    func notLive() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            var wish = Selection.Recording()
            wish.duration = 7200
            let asset = try await fixture.download("/master.m3u8") { $0.selection.recording = wish }
            #expect(asset.state == .complete && asset.leftOut == [LeftOut(.recording, "live, duration 2h")])
            #expect(asset.leftOut.map(\.sentence) == ["live, duration 2h; the stream is not live"])
            let refused = await fixture.refusal("/master.m3u8") {
                ($0.isStrict, $0.selection.recording) = (true, wish)
            }
            #expect(refused?.code.name == "left-out")
        }
    }

    @Test("a queued strict download fails when its turn comes, with the reason")
    func strictInTurn() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            var request = fixture.request("/master.m3u8")
            (request.isStrict, request.selection.audio) = (true, .matching(["en", "xx"]))
            let token = try #require(try await fixture.store.intake.enqueue([request]).tokens.first)
            await fixture.store.start()
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .failed && asset.failure?.message.contains("audio xx") == true)
        }
    }

    @Test("more tracks: existing ones are added, others noted, and a failed strict request changes nothing")
    func tracks() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            var wish = Selection()
            wish.audio = .matching(["de", "xx"])
            let error = await failure {
                _ = try await fixture.store.addTracks(wish, to: token, isStrict: true)
            }
            #expect(error?.code.name == "left-out")
            #expect(try fixture.store.reader.requireAsset(token).renditions.count == 2)
            let added = try await fixture.store.addTracks(wish, to: token)
            #expect(added.names == ["audio-de"] && added.leftOut == [Self.xx])
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).leftOut == [Self.xx])
            let again = try await fixture.store.addTracks(wish, to: token)
            #expect(again.names == [] && again.leftOut == [Self.xx])
            #expect(try fixture.store.reader.requireAsset(token).leftOut == [Self.xx])
        }
    }

    @Test("a client ID names one asset, also after a restart, and a different request with it is refused")
    func clientIDs() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        publish(origin)
        var request = AssetRequest(url: origin.url("/master.m3u8"))
        request.clientID = "mine"
        var other = request
        other.name = "Other"
        var tokens: Set<AssetToken> = []
        for _ in 0..<2 {
            let fixture = try StoreFixture(in: folder, origin: origin)
            let entered = try await fixture.store.intake.enqueue([request])
            tokens.formUnion(entered.tokens)
            tokens.insert(try await fixture.store.intake.add(request).token)
            let error = await failure { _ = try await fixture.store.intake.enqueue([other]) }
            #expect(error?.code.name == "client-id-taken")
            #expect(try fixture.store.reader.assets().map(\.clientID) == ["mine"])
            await fixture.store.stop()
        }
        #expect(tokens.count == 1)
    }

    @Test("the request can be read again, without secrets and with the present terms")
    func requestAgain() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            var request = AssetRequest(url: fixture.origin.url("/master.m3u8?sig=S3CRET"))
            request.access.headers = [["X", "S3CRET"]]
            request.access.userAgent = "agent"
            request.access.proxy = nil
            (request.selection.audio, request.priority) = (.matching(["de"]), 3)
            request.license = LicenseTerms(rental: 60)
            let token = try await fixture.store.intake.add(request).token
            var edit = AssetEdit()
            edit.priority = 7
            try await fixture.store.edit(token, edit)
            let again = try fixture.store.reader.request(for: token)
            #expect(again.url == fixture.origin.url("/master.m3u8") && again.access.headers == [])
            #expect(again.access.userAgent == "agent" && again.priority == 7)
            #expect(again.selection == request.selection && again.license == request.license)
            #expect(!"\(again)".contains("S3CRET"))
            try fixture.store.catalog.write(.store) { try $0.execute("DELETE FROM asked") }
            let older = try fixture.store.reader.request(for: token)
            #expect(older.url == again.url && older.selection == request.selection)
        }
    }
}
