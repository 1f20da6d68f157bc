import AssetStore
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The indexer of arriving segments", .timeLimit(.minutes(1)))
struct AssetIndexerTests {
    private static let tracks = [MadeTrack.picture(width: 160), .sound(rate: 48_000)]

    private func indexed(_ fixture: StoreFixture, _ token: AssetToken) throws -> Int {
        try FilmFixture(store: fixture.store, token: token, source: "").indexedSegments(of: "video")
    }

    @Test("enters a rendition when its last segment is stored, one asset after the other, until it ends")
    func arriving() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, count) in [("a", 3), ("b", 2), ("c", 1)] {
                for file in MadeRendition.even(Self.tracks, name: name, count: count).files {
                    fixture.origin.serve("/\(file.name)", bytes: file.bytes)
                }
            }
            let indexer = AssetIndexer(fixture.store)
            let first = try await fixture.download("/a.m3u8").token
            let second = try await fixture.download("/b.m3u8").token
            await indexer.finish()
            #expect(try indexed(fixture, first) == 3 && indexed(fixture, second) == 2)
            let third = try await fixture.download("/c.m3u8").token
            await indexer.finish()
            #expect(try indexed(fixture, third) == 0)
        }
    }
}
