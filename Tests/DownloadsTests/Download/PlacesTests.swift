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

/// Slots that a stalled asset leaves to others.
@Suite(.timeLimit(.minutes(2)))
struct PlacesTests {
    @Test("an asset that only waits for its next try gives its place to another one")
    func resting() async throws {
        let configure: @Sendable (inout OfflineStore.Configuration) -> Void = {
            $0.maximumDownloads = 1
            $0.pause = { seconds in try await Task.sleep(for: seconds > 1 ? .seconds(600) : .zero) }
        }
        try await StoreFixture.run(configure) { fixture async throws in
            fixture.origin.serveStream("/a", count: 1)
            fixture.origin.fault("/a/s0.ts", .status(500))
            fixture.origin.serveStream("/b", count: 1)
            let resting = try await fixture.add("/a/index.m3u8")
            #expect(try await fixture.download("/b/index.m3u8").state == .complete)
            #expect(try fixture.store.reader.requireAsset(resting).state == .downloading)
        }
    }

    @Test("the playlists and keys of an asset do not wait for the segments of another one of the same host")
    func playlists() async throws {
        try await StoreFixture.run({ $0.transfersPerAsset = 1 }) { fixture async throws in
            fixture.origin.serveStream("/a", count: 1)
            fixture.origin.fault("/a/s0.ts", .holdHeader)
            fixture.origin.serve("/k.key", bytes: Secret.key([UInt8](1..<17)))
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
            fixture.origin.serveStream("/b", count: 1, tags: tags, key: Secret.key([UInt8](1..<17)))
            _ = try await fixture.add("/a/index.m3u8")
            while !fixture.origin.paths.contains("/a/s0.ts") {
                try await Task.sleep(for: .milliseconds(10))
            }
            let time = try await ContinuousClock().measure { _ = try await fixture.add("/b/index.m3u8") }
            #expect(time < .seconds(10), "a transfer that gets nothing holds its place for 15 s")
            #expect(fixture.origin.paths.contains("/k.key"))
            fixture.origin.release()
        }
    }
}
