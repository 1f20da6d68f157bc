import AssetStore
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

extension IndexedPlace {
    /// The place of a rendition, by one of its segments.
    fileprivate init(_ rendition: String, of token: AssetToken, in store: OfflineStore) throws {
        self = try #require(IndexedPlace(store.paths.rendition(token, rendition).appending("0.ts")))
    }
}

@Suite("The index of a rendition", .timeLimit(.minutes(3)), .enabled(if: EncodedStream.isPossible))
struct IndexTests {
    @Test(
        "is made of stored segments from the first on, and entered when all of it is there",
        arguments: [EncodedStream.packets, .fragments])
    func run(_ stream: EncodedStream) async throws {
        try await FilmFixture.run(stream) { film async throws in
            let place = try IndexedPlace("video", of: film.token, in: film.store)
            var run = try #require(try IndexRun(place, film.store))
            #expect(try film.indexedSegments(of: "video") == 0)
            #expect(try run.advance(with: []) { false })
            #expect(try film.indexedSegments(of: "video") == 3)
            #expect(try film.indexedSegments(of: "none") == 0)
        }
    }

    @Test("is left when it is stopped")
    func stopped() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            var run = try #require(
                try IndexRun(IndexedPlace("video", of: film.token, in: film.store), film.store))
            #expect(try run.advance(with: []) { true })
            #expect(try film.indexedSegments(of: "video") == 0)
        }
    }

    @Test("waits for a segment that is missing, and for the one in which its last picture may end")
    func waits() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let id = try #require(try film.row()).id
            let last = try #require(try film.store.catalog.units.unit(of: id, .segment, 2))
            try film.store.catalog.units.markAbsent([
                AbsentRow(rendition: id, kind: .segment, number: 2, finding: .gone)
            ])
            var run = try #require(
                try IndexRun(IndexedPlace("video", of: film.token, in: film.store), film.store))
            #expect(try !run.advance(with: []) { false })
            let back = StoredUnit(
                rendition: id, kind: .segment, number: 2, size: last.size ?? 0, sha256: last.sha256 ?? [])
            try film.store.catalog.units.markStored([back])
            #expect(try run.advance(with: [2]) { false })
            #expect(try film.indexedSegments(of: "video") == 3)
        }
    }

    @Test("exists for each rendition with video or audio in segments of its own")
    func media() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.serve("/film.srt", text: "1\n00:00:00,000 --> 00:00:01,000\nWelt\n")
            let token = try await fixture.download("/v/index.m3u8").token
            let file = SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")
            try await fixture.store.tracks.addSubtitles([file], to: token)
            let rows = try #require(try fixture.store.catalog.renditions.all(of: [token])[token])
            #expect(rows.count == 2)
            for row in rows {
                let run = try IndexRun(IndexedPlace(row.name, of: token, in: fixture.store), fixture.store)
                #expect((run != nil) == (row.kind == .variant))
            }
            #expect(try IndexRun(IndexedPlace("none", of: token, in: fixture.store), fixture.store) == nil)
        }
    }
}
