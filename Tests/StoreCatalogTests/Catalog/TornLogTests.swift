import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A catalog whose log was being written when the machine stopped", .timeLimit(.minutes(1)))
struct TornLogTests {
    private let series: LoggedSeries

    init() throws { series = try LoggedSeries() }

    @Test("has all writes that were acknowledged, when the log is whole")
    func whole() throws {
        #expect(series.writes(in: series.log.count) == series.states.count - 1)
        #expect(series.frames.count > 4 * series.states.count)
        try expectFirstWrites(with: series.log, tornFrom: series.log.count)
    }

    @Test("has the writes whose end is in the log, and nothing of later ones, wherever the log ends")
    func cut() throws {
        for (number, start) in series.frames.enumerated() {
            let length = start + [0, -1, 1, 24, series.frame / 2][number % 5]
            let kept = Array(series.log[..<length])
            // Behind the end may be room that was kept for the log.
            let rest = number % 2 == 0 ? [] : [UInt8](repeating: 0, count: series.log.count - length)
            try expectFirstWrites(with: kept + rest, tornFrom: length, alsoByEngine: number % 3 == 0)
        }
    }

    @Test("has the writes before the first frame that is not as it was, and nothing of later ones")
    func damaged() throws {
        let parts = [0..<24, 24..<536, series.frame / 2..<series.frame, series.frame - 1..<series.frame]
        for start in series.frames.suffix(4) {
            for part in parts {
                var zeroed = series.log
                var garbled = series.log
                for place in part {
                    zeroed[start + place] = 0
                    garbled[start + place] ^= 0x5A
                }
                try expectFirstWrites(with: zeroed, tornFrom: start + part.lowerBound)
                try expectFirstWrites(with: garbled, tornFrom: start + part.lowerBound)
            }
        }
    }

    @Test("has nothing in its log that was written before every write was flushed")
    func flushed() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("catalog.db"))
        for _ in 0..<2 {
            let catalog = try Catalog(writing: path)
            let log = String(decoding: try folder.read("catalog.db-wal"), as: Unicode.ASCII.self)
            // The table that GRDB makes, for there to be a log, before it is told to flush.
            #expect(log.contains("CREATE TABLE") && !log.contains("grdb_issue"))
            catalog.close()
        }
    }

    /// Opens the catalog with a log that is as it was up to some place, without an index of it, as it is after a start of
    /// the machine.
    private func expectFirstWrites(with log: [UInt8], tornFrom place: Int, alsoByEngine: Bool = true) throws {
        let folder = try TemporaryDirectory()
        try folder.write(series.database, to: "catalog.db")
        try folder.write(log, to: "catalog.db-wal")
        let path = FilePath(folder.file("catalog.db"))
        let intact = series.intact(log, from: place)
        let writes = series.writes(in: intact)
        let looking = try #require(try Catalog(reading: path))
        #expect(try series.writes(shownBy: looking) == writes, "\(intact) bytes are intact")
        looking.close()
        guard alsoByEngine else { return }
        let catalog = try Catalog(writing: path)
        #expect(try series.writes(shownBy: catalog) == writes, "\(intact) bytes are intact")
        #expect(try catalog.damage() == nil)
        catalog.close()
    }
}

/// What a catalog that was not closed left: writes that were acknowledged, all of them in its log.
private struct LoggedSeries {
    let database: [UInt8]
    let log: [UInt8]
    /// The rows before the first write, and after each of them.
    let states: [[Row]]

    init() throws {
        let folder = try TemporaryDirectory()
        let catalog = try Catalog(writing: FilePath(folder.file("catalog.db")))
        defer { catalog.close() }
        catalog.forgetErased()
        var states = [try Self.rows(of: catalog)]
        for number in 0..<9 {
            try Self.write(number, to: catalog)
            states.append(try Self.rows(of: catalog))
        }
        self.states = states
        database = try folder.read("catalog.db")
        log = try folder.read("catalog.db-wal")
    }

    /// One write of several pages: assets are entered, one of them is paused, the other one is edited.
    private static func write(_ number: Int, to catalog: Catalog) throws {
        let now = Timestamp(milliseconds: Int64(number))
        let group = Timestamp(milliseconds: Int64(number / 3))
        let tokens = (0..<2).map { index in AssetToken(at: group, random: { UInt64(index) }) }
        switch number % 3 {
        case 0:
            _ = try catalog.queue.enqueue(
                tokens.map { token in
                    NewAsset(
                        record: AssetRecord(
                            token: token, name: "x", sourceURL: "x", state: .queued, requestedAt: now),
                        request: [UInt8](repeating: 7, count: 6000))
                })
        case 1: try catalog.assets.apply(.pause, to: tokens[0], TransitionDetail(now: now))
        default:
            var edit = AssetEdit()
            edit.name = "y"
            edit.priority = 1
            try catalog.assets.edit(tokens[1], edit, at: now)
        }
    }

    private static func rows(of catalog: Catalog) throws -> [Row] {
        try catalog.read { session in
            let database = try #require(session as? SQLiteSession).database
            return try ["asset", "request", "event"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
            }
        }
    }

    /// How many of the first writes a catalog shows; `nil` when it shows something else.
    func writes(shownBy catalog: Catalog) throws -> Int? { states.firstIndex(of: try Self.rows(of: catalog)) }

    /// Bytes of a frame: a page behind a head of its own (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    var frame: Int { 24 + log[8..<12].reduce(0) { size, byte in size << 8 | Int(byte) } }

    /// Where frames begin.
    var frames: [Int] { Array(stride(from: 32, to: log.count, by: frame)) }

    /// How many writes end in the first bytes of the log. The last frame of each has the database's size in its head.
    func writes(in count: Int) -> Int {
        frames.count { start in
            start + frame <= count && log[start + 4..<start + 8].contains { byte in byte != 0 }
        }
    }

    /// The first bytes of the log that a torn one has, too; they are the same up to `place`.
    func intact(_ torn: [UInt8], from place: Int) -> Int {
        (place..<log.count).first { $0 >= torn.count || torn[$0] != log[$0] } ?? log.count
    }
}
