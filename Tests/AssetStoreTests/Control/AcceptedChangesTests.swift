import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreModel

@Suite("The stream that has taken the place of another", .timeLimit(.minutes(1))) struct AcceptedChangesTests
{
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    @Test("has the picture that the user gave the asset")
    func poster() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            while fixture.origin.requests(for: "/v/s1.ts").isEmpty {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await fixture.store.perform(.pause, on: token)
            fixture.origin.clearFaults("/v/s1.ts")
            fixture.origin.release()
            let picture = "data:image/png;base64,\(Data(Self.png).base64EncodedString())"
            try await fixture.store.sources.changePoster(of: token, to: picture)
            fixture.origin.serveStream("/v", count: 4, seed: 100)
            #expect(try await fixture.store.acceptChanges(of: token))
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.duration == 16 && asset.poster == "poster.png")
            #expect(try fixture.stored(token, "poster.png") == Self.png)
        }
    }
}
