import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Segments that were checked before those that they need", .timeLimit(.minutes(1)))
struct EarlySegmentTests {
    /// The numbers of the stored segments that do not fit after a segment is stored.
    private func strangers(
        after number: Int, early: [Int], of token: AssetToken, _ fixture: StoreFixture
    ) throws -> [Int] {
        let catalog = fixture.store.catalog
        let row = try #require(try catalog.renditions.rendition(token, "video"))
        func job(_ number: Int) throws -> UnitJob {
            let unit = try #require(try catalog.units.unit(of: row.id, .segment, number))
            return UnitJob(unit: unit, rendition: row)
        }
        let inspectors = UnitInspectors(token, catalog: catalog, paths: fixture.store.paths, vault: nil)
        for number in early { inspectors.noteEarly(true, try job(number)) }
        return try inspectors.strangers(after: try job(number)).map(\.unit.number)
    }

    @Test("are looked at again when the first one of their stretch is stored, or they themselves")
    func withoutSection() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            let token = try await fixture.download("/v/index.m3u8").token
            for number in [1, 2] {
                try DurableWrite.write(Media.page, to: fixture.path(token, "video/\(number).ts"))
            }
            let cases: [(Int, [Int], [Int])] = [
                (0, [1], [1]), (0, [1, 2], [1, 2]), (0, [], []), (1, [1], [1]),
                (1, [1, 2], [1]), (1, [], []), (2, [1], []), (2, [2], [2]),
            ]
            for (number, early, expected) in cases {
                let found = try strangers(after: number, early: early, of: token, fixture)
                #expect(found == expected, "after \(number), early \(early)")
            }
        }
    }

    @Test("behind an initialization section do not wait for a segment: it is looked at again alone")
    func withSection() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serve("/v/i.mp4", bytes: SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())]))
            for number in 0..<3 {
                origin.serve("/v/m\(number).m4s", bytes: SampleMedia.fragment([SampleMedia.avcSample()]))
            }
            let uris = (0..<3).map { "m\($0).m4s" }
            origin.serve("/v/index.m3u8", text: Playlists.media(uris, tags: "#EXT-X-MAP:URI=\"i.mp4\"\n"))
            let asset = try await fixture.download("/v/index.m3u8")
            try #require(asset.state == .complete, "\(asset.failure?.message ?? "")")
            let token = asset.token
            for number in 0..<3 {
                try DurableWrite.write(Media.page, to: fixture.path(token, "video/\(number).m4s"))
            }
            for number in 0..<3 {
                let found = try strangers(after: number, early: [0, 1, 2], of: token, fixture)
                #expect(found == [number])
                #expect(try strangers(after: number, early: [], of: token, fixture) == [])
            }
        }
    }
}
