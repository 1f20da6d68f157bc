import AssetStore
import Glibc
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A segment in the clear", .timeLimit(.minutes(1)))
struct UnitSizeTests {
    @Test("is opened if it has 512 MiB, and not if it is larger by a byte")
    func largest() async throws {
        try await FilmFixture.run(made: [.even([.picture(width: 160)])]) { film async throws in
            let record = try #require(try film.row())
            let units = ClearUnits(store: film.store, token: film.token, row: record)
            let path = film.store.paths.rendition(film.token, "video").appending("0.m4s").string
            // The file has no blocks on the disk.
            for (more, isOpened) in [(0, true), (1, false)] {
                unsafe truncate(path, ClearUnits.largest + more)
                let refused = refusal { _ = try units.open(.segment(0)) }
                #expect((refused == nil) == isOpened, "\(more)")
            }
            unsafe truncate(path, 0)
        }
    }
}

@Suite("The chapters of an asset", .timeLimit(.minutes(1)))
struct ChapterOrderTests {
    @Test("are in the order of their times, and those of one time in the order of the list")
    func order() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let list =
                #"[{"start-time":4,"titles":[{"title":"Two"}]},{"start-time":4,"titles":[{"title":"Three"}]},{"start-time":0}]"#
            fixture.origin.serve("/chapters.json", text: list, contentType: "application/json")
            let tag =
                #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",FORMAT=JSON,URI="chapters.json""#
            fixture.origin.serve(
                "/master.m3u8", text: Playlists.master(tag, Playlists.variant("v/index.m3u8", 1000)))
            let token = try await fixture.download("/master.m3u8").token
            let chapters = AssetChapters(store: fixture.store, token: token).list
            #expect(chapters.map(\.start) == [0, 4, 4])
            #expect(chapters.map(\.title) == ["3", "Two", "Three"])
        }
    }
}
