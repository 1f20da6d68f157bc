import Foundation
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

@Suite("An asset's source", .timeLimit(.minutes(2)))
struct SourceEditorTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1]

    private func data(_ bytes: [UInt8], _ form: String = "image/png;base64") -> String {
        "data:\(form),\(Data(bytes).base64EncodedString())"
    }

    /// A paused asset of six segments that has the first two.
    private func paused(
        _ fixture: StoreFixture, tags: String = "", _ change: (inout AssetRequest) -> Void = { _ in }
    ) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 6, tags: tags)
        fixture.origin.fault("/v/s2.ts", .holdHeader)
        let token = try await fixture.add("/v/index.m3u8", change)
        try await eventually { !fixture.origin.requests(for: "/v/s2.ts").isEmpty }
        try await fixture.store.perform(.pause, on: token)
        fixture.origin.clearFaults("/v/s2.ts")
        fixture.origin.release()
        return token
    }

    private func run(_ body: (StoreFixture) async throws -> Void) async throws {
        try await StoreFixture.run({ $0.transfersPerAsset = 1 }, body)
    }

    @Test("that has not changed leaves nothing to be accepted")
    func unchanged() async throws {
        try await run { fixture async throws in
            let token = try await paused(fixture)
            #expect(try await !fixture.store.acceptChanges(of: token))
            #expect(try fixture.store.reader.requireAsset(token).renditions[0].storedSegments == 2)
        }
    }

    @Test("that has changed takes the interstitials of the former stream away")
    func interstitials() async throws {
        try await run { fixture async throws in
            fixture.origin.serveStream("/ad", count: 1, seed: 50)
            let tags =
                "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
                + "START-DATE=\"2026-01-01T00:00:04Z\",X-ASSET-URI=\"/ad/index.m3u8\"\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
            let token = try await paused(fixture, tags: tags) { $0.selection.interstitials = .keep }
            let (store, catalog) = (fixture.store, fixture.store.catalog)
            let child = try #require(try catalog.interstitials.interstitialAssets(of: [token]).first)
            await store.untilSettled(child)
            #expect(try store.reader.assets().count == 2)
            fixture.origin.serveStream("/v", count: 8, seed: 100)
            #expect(try await store.acceptChanges(of: token))
            #expect(try store.reader.assets().map(\.token) == [token])
            #expect(try catalog.interstitials.interstitialAssets(of: [token]).isEmpty)
        }
    }

    @Test("is left alone before its playlists were read")
    func unresolved() async throws {
        try await run { fixture async throws in
            let entered = try await fixture.store.intake.enqueue(
                [fixture.request("/v/index.m3u8")], isHeld: true)
            let token = try #require(entered.tokens.first)
            #expect(try await !fixture.store.acceptChanges(of: token))
            let error = await failure {
                try await fixture.store.sources.changePoster(of: token, to: data(Self.png))
            }
            guard case .wrongState(.queued, _)? = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("that refused the access goes on with a changed one, and a change of nothing does nothing")
    func access() async throws {
        try await run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("*", .require(header: "X-Ticket", value: "1"))
            let entered = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")])
            let token = try #require(entered.tokens.first)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .failed)
            fixture.origin.forgetRequests()
            try await fixture.store.changeAccess(of: token, AccessEdit())
            #expect(try fixture.store.reader.requireAsset(token).state == .failed)
            #expect(fixture.origin.requests.isEmpty)
            var edit = AccessEdit()
            edit.headers = [["X-Ticket", "1"]]
            try await fixture.store.changeAccess(of: token, edit)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("that failed for another reason than a refusal is not asked again with a changed access")
    func otherFailure() async throws {
        try await run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .status(404))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            fixture.origin.clearFaults("/v/s0.ts")
            fixture.origin.forgetRequests()
            var edit = AccessEdit()
            edit.headers = [["X-Ticket", "1"]]
            try await fixture.store.changeAccess(of: asset.token, edit)
            await fixture.store.untilSettled(asset.token)
            #expect(try fixture.store.reader.requireAsset(asset.token).state == .failed)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("whose access is changed while it is paused stays paused")
    func pausedAccess() async throws {
        try await run { fixture async throws in
            let token = try await paused(fixture)
            var edit = AccessEdit()
            edit.headers = [["X-Ticket", "1"]]
            try await fixture.store.changeAccess(of: token, edit)
            #expect(try fixture.store.reader.requireAsset(token).state == .paused)
            let record = try #require(try fixture.store.catalog.assets.asset(token))
            #expect(try fixture.store.parts.vault.access(of: record).headers == [["X-Ticket", "1"]])
        }
    }

    @Test("and its poster: a new one replaces the old one's file, and an empty text removes it")
    func poster() async throws {
        try await run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let sources = fixture.store.sources
            func name() throws -> String? { try fixture.store.catalog.assets.asset(token)?.poster }
            try await sources.changePoster(of: token, to: data(Self.png))
            #expect(try name() == "poster.png")
            try await sources.changePoster(of: token, to: data(Self.png + [4]))
            #expect(try fixture.stored(token, "poster.png") == Self.png + [4])
            try await sources.changePoster(of: token, to: data(Self.jpeg))
            #expect(try name() == "poster.jpg")
            #expect(try fixture.stored(token, "poster.jpg") == Self.jpeg)
            #expect(try fixture.stored(token, "poster.png") == nil)
            try await sources.changePoster(of: token, to: "")
            #expect(try name() == nil)
            #expect(try fixture.stored(token, "poster.jpg") == nil)
        }
    }

    @Test("and its poster: what is no picture in base64 is refused, and the old one stays")
    func noPoster() async throws {
        try await run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let sources = fixture.store.sources
            try await sources.changePoster(of: token, to: data(Self.png))
            for text in ["data:image/png;base64", data(Self.png, "image/png"), data([1, 2, 3, 4])] {
                let error = await failure { try await sources.changePoster(of: token, to: text) }
                #expect(error?.text.hasPrefix("notImportable") == true, "\(text)")
            }
            #expect(try fixture.stored(token, "poster.png") == Self.png)
        }
    }
}
