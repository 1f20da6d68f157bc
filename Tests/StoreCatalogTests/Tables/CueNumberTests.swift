import StoreTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The numbers of cues in SQLite's index", .ofSQLite)
struct CueNumberTests {
    @Test("follow one another: a track has one for each of its cues, and one without any")
    func numbers() throws {
        let fixture = try TableFixture()
        let token = try fixture.add(1)
        for (name, count) in [("a", 2), ("b", 0), ("c", 1)] {
            try fixture.rendition(name, of: token, .subtitles)
            let cues = (0..<count).map { (start: Double($0), text: "one \(name)\($0)") }
            try fixture.catalog.cues.index(cues, of: token, name, language: nil)
        }
        let tracks = try fixture.catalog.read { session in
            try session.rows("SELECT first, last FROM cue_track ORDER BY id") { row in
                [row[0] as Int64, row[1] as Int64]
            }
        }
        #expect(tracks == [[1, 2], [3, 3], [4, 4]])
        let cues: [Int64] = try fixture.catalog.read { session in
            try session.values("SELECT rowid FROM cue ORDER BY rowid")
        }
        #expect(cues == [1, 2, 4])
    }
}
