import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A recording", .timeLimit(.minutes(1)))
struct GrowingRecordingTests {
    @Test("is not indexed, and is no file, while it may grow; when it has ended it is as other assets")
    func growing() async throws {
        let stream = MadeRendition.even([.picture(width: 160)])
        try await FilmFixture.run(made: [stream]) { film async throws in
            let folder = film.store.paths.rendition(film.token, "video")
            let place = try #require(IndexedPlace(folder.appending("0.m4s")))
            #expect(try IndexRun(place, film.store) != nil)
            try film.store.catalog.write(.asset(film.token)) { session in
                try session.execute("INSERT INTO recording (asset) VALUES (?)", [film.token.description])
            }
            #expect(try IndexRun(place, film.store) == nil)
            let refused = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.mp4)) }
            #expect(refused?.hasPrefix(#"incomplete(rendition: "video""#) == true)
            let end = 1_000_000
            try film.store.catalog.write(.asset(film.token)) { session in
                try session.execute("UPDATE recording SET ended_at = ?", [end])
            }
            var run = try #require(try IndexRun(place, film.store))
            let isDone = try run.advance(with: []) { false }
            #expect(isDone)
            #expect(try film.indexedSegments(of: "video") == 2)
            #expect(try film.store.file(of: film.token, AssetFileChoice(.mp4)).duration == 8)
        }
    }
}
