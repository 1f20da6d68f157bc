import AssetStore
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The size of an index", .timeLimit(.minutes(1)))
struct IndexSizeTests {
    @Test("may be that of the largest one, in all its segments, and not a byte more", arguments: [0, 1])
    func largest(_ excess: Int) async throws {
        let stream = MadeRendition.even([.picture(width: 160)], count: 3)
        try await FilmFixture.run(made: [stream]) { film async throws in
            let folder = film.store.paths.rendition(film.token, "video")
            let place = try #require(IndexedPlace(folder.appending("0.ts")))
            var run = try #require(try IndexRun(place, film.store))
            #expect(try run.advance(with: []) { false })
            let row = try #require(try film.row())
            let revision = try IndexedRendition.revision(of: row, film.token, film.store)
            let table = film.store.catalog.sampleIndexes
            let made = try table.all(ofRendition: row.id, revision: revision)
            let size = made.values.reduce(0) { $0 + $1.count }
            #expect(made.count == 3)
            // What is entered for other content deletes them.
            try table.enter([:], ofRendition: row.id, revision: [9, 8, 7])
            #expect(try film.indexedSegments(of: "video") == 0)
            var next = try #require(try IndexRun(place, film.store, largest: size - excess))
            #expect(try next.advance(with: []) { false })
            #expect(try film.indexedSegments(of: "video") == (excess == 0 ? 3 : 0))
        }
    }
}
