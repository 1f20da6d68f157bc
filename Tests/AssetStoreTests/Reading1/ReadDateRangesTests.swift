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
@testable import StorePlanning
@testable import StoreReading

@Suite("The date ranges that a reader gets", .timeLimit(.minutes(2)))
struct ReadDateRangesTests {
    /// Downloads pictures and sound, each with the date range of this name, or with none.
    private func film(_ fixture: StoreFixture, video: String?, sound: String?) async throws -> AssetToken {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
        for (folder, range) in [("/v", video), ("/a", sound)] {
            let tag = range.map { "\(DatedPlaylist.range($0, "02"))\n" } ?? ""
            fixture.origin.serveStream(folder, count: 2, tags: date + tag)
        }
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8", "DEFAULT=YES"),
                Playlists.variant("v/index.m3u8", 900_000, #"AUDIO="a""#)))
        return try await fixture.download("/master.m3u8").token
    }

    @Test(
        "are the video's; those of other renditions are taken only if the video has none",
        arguments: [
            ("pictures", "sound", ["pictures"]), (nil, "sound", ["sound"]), (nil, nil, []),
        ] as [(String?, String?, [String])])
    func video(video: String?, sound: String?, expected: [String]) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture, video: video, sound: sound)
            let ranges = try #require(try fixture.store.reader.playlists.dateRanges(of: token))
            #expect(ranges.map(\.id) == expected)
            #expect(ranges.allSatisfy { $0.start == 2 })
        }
    }
}
