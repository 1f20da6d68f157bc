import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "The copy of a catalog", .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"),
    .timeLimit(.minutes(3)))
struct CatalogCopyTests {
    private let folder: TemporaryDirectory
    private let shared: Catalog
    private let own: Catalog

    init() throws {
        folder = try TemporaryDirectory()
        shared = try .postgres(try PostgresServer.shared.get().newDatabase())
        own = try Catalog(writing: FilePath(folder.file("catalog.db")))
    }

    private func close() {
        shared.close()
        own.close()
    }

    /// Copies all rows without a change.
    private func copy(_ source: Catalog, to target: Catalog) throws -> Int {
        let changes = CatalogCopy.Changes(
            object: { $0.object }, folderTime: { $0 * 1000 }, mediaPlace: "s3://media/films/")
        return try CatalogCopy(from: source, to: target, changes) { _ in }.run { _ in }
    }

    private var plan: CatalogCopy {
        CatalogCopy(
            from: own, to: shared,
            .init(object: { _ in nil }, folderTime: { _ in nil }, mediaPlace: nil)
        ) { _ in }
    }

    @Test("takes every table and column along, or names the table as one that is left apart")
    func tables() throws {
        defer { close() }
        let (lite, large) = try (plan.described(.sqlite), plan.described(.postgres))
        let copied = Set(try plan.tables().map(\.name))
        #expect(copied.count > 15)
        #expect(Set(lite.keys).union(large.keys).subtracting(copied).subtracting(CatalogCopy.apart) == [])
        for table in copied {
            let few = Set(lite[table]?.columns.map(\.name) ?? [])
            let many = Set(large[table]?.columns.map(\.name) ?? [])
            #expect(few == many, "\(table)")
        }
    }

    @Test("brings each value of each row to the other engine and back")
    func roundTrip() throws {
        defer { close() }
        let sample = SampleRows(catalog: own)
        for table in try plan.tables() {
            try sample.fill(table.name, rows: table.name == "unit" ? 2100 : 120)
        }
        let before = try rows(own)
        #expect(before.values.allSatisfy { !$0.isEmpty })
        #expect(try copy(own, to: shared) == before.values.reduce(0) { $0 + $1.count })
        #expect(try rows(shared) == before)
        #expect(try shared.events.lastEvent() == own.events.lastEvent())
        #expect(try shared.storage.mediaPlace() == "s3://media/films/")
        let again = try Catalog(writing: FilePath(folder.file("again.db")))
        defer { again.close() }
        // A second try replaces the first one.
        _ = try copy(shared, to: again)
        _ = try copy(shared, to: again)
        #expect(try rows(again) == before)
        #expect(try again.events.lastEvent() == own.events.lastEvent())
    }

    @Test("has later rows and events numbered after those that were copied")
    func numbers() throws {
        defer { close() }
        let sample = SampleRows(catalog: own)
        for table in ["asset", "rendition", "play"] { try sample.fill(table, rows: 5) }
        let token = try #require(try own.migration.tokens().first)
        for number in 1...3 {
            try own.events.record(.changed, token, at: Timestamp(milliseconds: Int64(number)))
        }
        _ = try copy(own, to: shared)
        let insert = "INSERT INTO play (asset, began_at, ended_at, until) VALUES (?, 1, 2, 3)"
        let number = try shared.write(.asset(token)) { try $0.insert(insert, [token.description]) }
        #expect(number == 6)
        try shared.events.record(.changed, token, at: Timestamp(milliseconds: 4))
        #expect(try shared.events.all(after: 0, limit: 10).map(\.id) == [1, 2, 3, 4])
        let back = try Catalog(writing: FilePath(folder.file("back.db")))
        defer { back.close() }
        _ = try copy(shared, to: back)
        try back.events.record(.changed, token, at: Timestamp(milliseconds: 5))
        #expect(try back.events.lastEvent() == 5)
    }

    @Test("brings the files along that a shared catalog keeps, without those that are gone")
    func keptFiles() throws {
        defer { close() }
        try SampleRows(catalog: own).fill("asset", rows: 2)
        let token = try #require(try own.migration.tokens().first)
        let changes = CatalogCopy.Changes(
            object: { $0.object }, folderTime: { _ in nil }, mediaPlace: nil,
            keptFiles: ["poster.png", "gone.png"].map { KeptPath(token: token, path: $0) },
            read: { $0.path == "poster.png" ? [1, 2] : nil })
        try CatalogCopy(from: own, to: shared, changes) { _ in }.run { _ in }
        let files = try shared.shared.files(of: token)
        #expect(files.map(\.path) == ["poster.png"] && files.map(\.body) == [[1, 2]])
    }

    @Test("has two statements prepared for a table: one for 50 rows, and one for each row of the rest")
    func batches() throws {
        defer { close() }
        try SampleRows(catalog: own).fill("asset", rows: 103)
        try plan.run { session in
            let prepared: Int? = try session.value(
                "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO asset (%'")
            #expect(prepared == 2)
        }
    }

    @Test("leaves nothing of itself when it fails in its middle")
    func failure() throws {
        defer { close() }
        let sample = SampleRows(catalog: own)
        for table in ["asset", "rendition"] { try sample.fill(table, rows: 60) }
        let changes = CatalogCopy.Changes(
            object: { _ in nil }, folderTime: { _ in nil }, mediaPlace: "s3://media/films/")
        let error = #expect(throws: StoreError.self) {
            try CatalogCopy(from: own, to: shared, changes) { _ in }.run { _ in
                throw StoreError(.stopped(.cancelled))
            }
        }
        #expect(error?.code.name == "stopped")
        #expect(try shared.migration.tokens().isEmpty && shared.storage.mediaPlace() == nil)
    }

    /// All rows of the copied tables, but for the times of folders.
    private func rows(_ catalog: Catalog) throws -> [String: [[SQLValue]]] {
        var all: [String: [[SQLValue]]] = [:]
        for var table in try plan.tables() {
            table.columns.removeAll { $0.name == "folder_time" }
            all[table.name] = try catalog.read { session in
                try session.rows(
                    "SELECT \(table.names) FROM \(table.name) ORDER BY \(table.key.joined(separator: ", "))"
                ) { row in table.columns.enumerated().map { $1.type.value($0, of: row) } }
            }
        }
        return all
    }
}

/// Rows with values of all kinds, made by what SQLite says of its columns.
private struct SampleRows {
    let catalog: Catalog
    private static let flags: Set<String> = [
        "pinned", "metered_ok", "watched", "required", "has_playlist", "is_foreign", "json", "is_mixed",
    ]

    /// Fills a table; those that it refers to must have as many rows.
    func fill(_ table: String, rows: Int) throws {
        try catalog.write(.store) { session in
            let columns = try session.rows(
                "SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')"
            ) { (name: $0[0] as String, type: $0[1] as String, needed: $0[2] as Bool || $0[3] as Bool) }
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let insert = try session.prepare("INSERT INTO \(table) VALUES (\(marks))")
            for row in 1...(table == "trusted_clock" ? 1 : rows) {
                try insert.execute(
                    SQLArguments(
                        columns.map { column in
                            if !column.needed, (row + column.name.count) % 4 == 0 { return .null }
                            return value(column.name, column.type, of: table, row)
                        }))
            }
        }
    }

    private func value(_ column: String, _ type: String, of table: String, _ row: Int) -> SQLValue {
        switch (column, type) {
        case ("token", _): .text(sampleRecord(row).token.description)
        case ("asset", _):
            .text(sampleRecord(table == "rendition" || table != "asset" ? row : 1).token.description)
        case ("id", "INTEGER"): .integer(Int64(row))
        case ("rendition", "INTEGER"): .integer(Int64((row - 1) % 120 + 1))
        case ("number", _): .integer(Int64(row))
        case ("event", _) where table == "cursor": .integer(Int64(row))
        case (_, "INTEGER") where Self.flags.contains(column): .integer(Int64(row % 2))
        case (_, "INTEGER"): .integer(row % 5 == 0 ? .max - Int64(row) : Int64(row) * 7 - 300)
        case (_, "REAL"): .real(Double(row) / 3)
        case (_, "BLOB"):
            .bytes(row % 7 == 0 && column != "digest" ? [] : [0, UInt8(row % 256), 255, UInt8(row / 256)])
        default: .text("\(column) '\"?\\ ü\u{1F39E}\n\(row)")
        }
    }
}
