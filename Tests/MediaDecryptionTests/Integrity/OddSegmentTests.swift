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

/// Segments of transport streams that are whole, and unlike those around them.
@Suite("A segment that differs from its neighbors", .timeLimit(.minutes(2)))
struct OddSegmentTests {
    private static let count = 8

    /// Serves eight segments of H.264, of four seconds each, with others in places of some.
    private func serve(_ origin: OriginServer, tags: [Int: String] = [:], _ others: [Int: [UInt8]] = [:]) {
        for number in 0..<Self.count {
            let usual = SampleMedia.program(0x1B, seconds: 3.96, from: 10 + 4 * Double(number))
            origin.serve("/v/s\(number).ts", bytes: others[number] ?? usual, contentType: "video/mp2t")
        }
        let uris = (0..<Self.count).map { "\(tags[$0] ?? "")s\($0).ts" }
        origin.serve("/v/index.m3u8", text: Playlists.media(uris))
    }

    /// Checks a complete, playable asset whose odd segments were requested twice and are reported.
    private func expect(
        _ odd: [Int], _ finding: String, _ asset: Asset, _ fixture: StoreFixture
    ) {
        #expect(asset.state == .complete && asset.availability.offline, "\(asset.failure?.message ?? "")")
        #expect(asset.health.level == .sound)
        #expect(asset.health.problems.map(\.kind) == odd.map { _ in .unknownMedia })
        #expect(asset.health.problems.map(\.cause) == odd.map { _ in finding })
        #expect(asset.health.problems.map(\.start) == odd.map { 4 * Double($0) })
        for number in 0..<Self.count {
            let times = fixture.origin.requests(for: "/v/s\(number).ts").count
            // An odd segment before the others is reported only when these have come.
            let asked = odd.contains(number) ? number < 4 ? 1...2 : 2...2 : 1...1
            #expect(asked.contains(times), "segment \(number) was asked for \(times) times")
        }
    }

    private static let strangers: [[UInt8]] = [
        SampleMedia.program(0x0F, seconds: 3.96), SampleMedia.program(0x24, seconds: 3.96),
    ]

    @Test("by its video codec is requested again, stored and reported", arguments: [0, 1, 4, 7], 0..<2)
    func otherPictures(_ number: Int, _ stranger: Int) async throws {
        // One after the other, so that others have come before the fifth.
        try await StoreFixture.run {
            if number >= 4 { $0.transfersPerAsset = 1 }
        } _: { fixture async throws in
            serve(fixture.origin, [number: Self.strangers[stranger]])
            let asset = try await fixture.download("/v/index.m3u8")
            expect([number], "other-pictures", asset, fixture)
            #expect(try fixture.stored(asset.token, "video/\(number).ts") == Self.strangers[stranger])
        }
    }

    @Test(
        "because half of it is missing is requested again, stored and reported", arguments: [0, 1, 4],
        [21 * 188, 21 * 188 + 77])
    func half(_ number: Int, _ count: Int) async throws {
        // One after the other, so that others have come before the fifth.
        try await StoreFixture.run {
            if number >= 4 { $0.transfersPerAsset = 1 }
        } _: { fixture async throws in
            let whole = SampleMedia.program(0x1B, seconds: 3.96)
            serve(fixture.origin, [number: Array(whole.prefix(count))])
            expect([number], "short", try await fixture.download("/v/index.m3u8"), fixture)
        }
    }

    @Test("because it begins or ends a stretch of its own is as it should be")
    func stretches() async throws {
        try await StoreFixture.run { fixture async throws in
            let stranger = SampleMedia.program(0x24, seconds: 3.96)
            let short = SampleMedia.program(0x1B, seconds: 1)
            let tags = [5: "#EXT-X-DISCONTINUITY\n"]
            // The last segments before a discontinuity and at the end are often shorter than they say.
            serve(fixture.origin, tags: tags, [4: short, 5: stranger, 6: stranger, 7: stranger])
            expect([], "", try await fixture.download("/v/index.m3u8"), fixture)
        }
    }

    @Test("is fine if all have only audio, or are shorter than the playlist says", arguments: [0x0F, 0x1B])
    func usual(_ type: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            let seconds = type == 0x0F ? 3.9 : 1.5
            let media = SampleMedia.program(UInt8(type), seconds: seconds)
            serve(fixture.origin, Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ($0, media) }))
            expect([], "", try await fixture.download("/v/index.m3u8"), fixture)
        }
    }
}
