import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A fresh address", .timeLimit(.minutes(1)))
struct FreshAddressTests {
    /// What an asset is refused for at the stream in a folder of the origin; `nil` if it takes the address.
    private func refusal(_ fixture: StoreFixture, _ token: AssetToken, _ folder: String) async -> String? {
        let url = fixture.origin.url("\(folder)/index.m3u8")
        return await failure { try await fixture.store.relink(token, to: url) }?.text
    }

    @Test("of a complete asset must have the same segments, and no more of them")
    func complete() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/old", count: 2)
            fixture.origin.serveStream("/longer", count: 3)
            fixture.origin.serveStream("/bytes", count: 2, seed: 7)
            let asset = try await fixture.download("/old/index.m3u8")
            #expect(asset.state == .complete)
            for folder in ["/longer", "/bytes"] {
                let reason = await refusal(fixture, asset.token, folder)
                #expect(reason == #"notSameStream("video")"#, "\(folder)")
                let now = try fixture.store.reader.requireAsset(asset.token)
                #expect(now.sourceURL == asset.sourceURL && now.state == .complete)
            }
        }
    }

    @Test("of a complete asset is compared with its segments, if the origin still has them")
    func compared() async throws {
        try await StoreFixture.run { fixture async throws in
            for folder in ["/old", "/same", "/dead"] { fixture.origin.serveStream(folder, count: 2) }
            for number in 0..<2 { fixture.origin.fault("/dead/s\(number).ts", .status(403)) }
            let asset = try await fixture.download("/old/index.m3u8")
            for (folder, wasCompared) in [("/same", true), ("/dead", false)] {
                let url = fixture.origin.url("\(folder)/index.m3u8")
                let isCompared = try await fixture.store.relink(asset.token, to: url)
                #expect(isCompared == wasCompared, "\(folder)")
                #expect(try fixture.store.reader.requireAsset(asset.token).sourceURL == url)
            }
        }
    }

    @Test("of an asset that lacks segments may have more of them than the old one")
    func incomplete() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let media = fixture.origin.serveStream("/old", count: 2)
            fixture.origin.serveStream("/longer", count: 3)
            fixture.origin.fault("/old/s1.ts", .status(403))
            let token = try await fixture.download("/old/index.m3u8").token
            #expect(try fixture.store.reader.requireAsset(token).state == .failed)
            let reason = await refusal(fixture, token, "/longer")
            #expect(reason == nil)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.stored(token, "video/1.ts") == media[1])
            #expect(fixture.origin.requests(for: "/longer/s0.ts").isEmpty)
        }
    }
}
