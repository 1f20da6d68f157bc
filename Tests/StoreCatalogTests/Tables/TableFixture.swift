import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// A catalog of a test's own that no engine works on.
final class TableFixture {
    let folder: TemporaryDirectory
    let catalog: Catalog

    init() throws {
        folder = try TemporaryDirectory()
        let path = folder.file("catalog.db")
        if let address = try TestCatalog.address(for: path) {
            catalog = try Catalog(postgres: address)
        } else {
            try folder.write(Self.empty.get(), to: "catalog.db")
            catalog = try Catalog(writing: FilePath(path))
        }
    }

    /// The file of a catalog that nothing was entered in: making its tables takes longer than most tests.
    private static let empty = Result {
        let folder = try TemporaryDirectory()
        let catalog = try Catalog(writing: FilePath(folder.file("catalog.db")))
        catalog.close()
        return try folder.read("catalog.db")
    }

    deinit { catalog.close() }

    /// Enters an asset; those with larger numbers are newer.
    @discardableResult
    func add(
        _ number: Int, _ state: AssetState = .queued, reason: String? = nil,
        _ change: (inout AssetRecord) -> Void = { _ in }
    ) throws -> AssetToken {
        var record = sampleRecord(number)
        (record.state, record.reason) = (state, reason)
        change(&record)
        try catalog.assets.insert(record)
        return record.token
    }

    /// Enters a rendition with segments of four seconds that are missing.
    @discardableResult
    func rendition(
        _ name: String = "video", of token: AssetToken, _ kind: RenditionKind = .variant, segments: Int = 2,
        sections: Int = 0, _ change: (inout RenditionRecord) -> Void = { _ in }
    ) throws -> Int64 {
        var row = RenditionRecord(
            name: name, position: 0, kind: kind, required: kind == .variant, listings: [], hasPlaylist: true,
            container: kind == .subtitles ? .vtt : .m4s, duration: Double(segments * 4), segments: segments,
            initializations: sections)
        change(&row)
        return try catalog.write(.asset(token)) { session in
            let id = try RenditionTable.insert(row, of: token, session)
            try RenditionTable.insert(Self.units(segments, sections), of: id, session)
            return id
        }
    }

    private static func units(_ segments: Int, _ sections: Int) -> [UnitRecord] {
        (0..<sections).map {
            UnitRecord(kind: .initialization, number: $0, start: 0, duration: 0, url: "https://host/i\($0)")
        }
            + (0..<segments).map {
                UnitRecord(
                    kind: .segment, number: $0, start: Double($0 * 4), duration: 4, url: "https://host/\($0)")
            }
    }

    /// Enters units of a rendition as stored.
    func store(
        _ numbers: [Int], _ kind: UnitKind = .segment, of rendition: Int64, size: UInt64 = 100,
        finding: UnitFinding? = nil
    ) throws {
        try catalog.units.markStored(
            numbers.map {
                StoredUnit(
                    rendition: rendition, kind: kind, number: $0, size: size, sha256: [1], finding: finding)
            })
    }

    func row(_ token: AssetToken, _ name: String = "video") throws -> RenditionRecord? {
        try catalog.renditions.rendition(token, name)
    }

    /// The events of an asset, in words.
    func events(of token: AssetToken) throws -> [String] {
        try catalog.events.all(after: 0, limit: 1000).filter { $0.token == token }.map { event in
            ([event.kind.rawValue, event.state?.rawValue, event.reason] as [String?]).compactMap(\.self)
                .joined(separator: " ")
        }
    }

    @discardableResult
    func apply(
        _ action: AssetAction, to token: AssetToken, _ reason: StateReason? = nil, at time: Int64 = 1
    ) throws -> AssetState {
        let detail = TransitionDetail(reason: reason, now: Timestamp(milliseconds: time))
        return try catalog.assets.apply(action, to: token, detail).to
    }
}

/// A moment, in milliseconds.
func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

/// What a throwing call of the catalog fails with, in words.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.text ?? "\(error)"
    }
}
