import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel

@Suite("Assets that wait for more than a slot")
struct SuspendedQueueTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Runs a test with a catalog of its own that no engine works on.
    private func withCatalog(_ body: (Catalog) throws -> Void) throws {
        let path = folder.file("catalog.db")
        let catalog: Catalog
        if let address = try TestCatalog.address(for: path) {
            catalog = try Catalog(postgres: address)
        } else {
            catalog = try Catalog(writing: FilePath(path))
        }
        defer { catalog.close() }
        try body(catalog)
    }

    /// Enters so many assets that wait for this reason, the oldest first.
    private func enter(_ count: Int, _ reason: WaitReason, in catalog: Catalog) throws -> [AssetToken] {
        let records = (0..<count).map { number in
            let moment = Timestamp(milliseconds: Int64(number + 1))
            return AssetRecord(
                token: AssetToken(at: moment), name: "x", sourceURL: "https://host/\(number)", state: .queued,
                reason: reason.rawValue, requestedAt: moment)
        }
        try catalog.write(.store) { session in
            for record in records { try AssetTable.insert(record, session) }
        }
        return records.map(\.token)
    }

    @Test(
        "are looked at 256 at a time if they wait for their origins; after the newest the oldest come again",
        arguments: [(3, [3, 3, 3]), (256, [256, 256, 256]), (257, [256, 1, 256])])
    func turns(_ count: Int, _ looks: [Int]) throws {
        try withCatalog { catalog in
            let tokens = try enter(count, .origin, in: catalog)
            var queue = SuspendedQueue(catalog: catalog)
            var begin = 0
            for look in looks {
                var seen: [AssetToken] = []
                let ready = try queue.readyForOrigin { token, _ in
                    seen.append(token)
                    return true
                }
                #expect(ready == [], "all of them are put off")
                #expect(seen == Array(tokens[begin..<begin + look]))
                begin = begin + look == count ? 0 : begin + look
            }
        }
    }

    @Test("are queued 32 at a time, without those whose origins are to be left alone")
    func ready() throws {
        try withCatalog { catalog in
            let tokens = try enter(40, .origin, in: catalog)
            var queue = SuspendedQueue(catalog: catalog)
            let all = try queue.readyForOrigin { _, _ in false }
            #expect(all == Array(tokens[..<32]))
            let others = try queue.readyForOrigin { _, url in url == "https://host/0" }
            #expect(others == Array(tokens[1..<33]))
        }
    }

    @Test("are none if all wait for something else")
    func nothing() throws {
        try withCatalog { catalog in
            let tokens = try enter(2, .disk, in: catalog)
            var queue = SuspendedQueue(catalog: catalog)
            let ready = try queue.readyForOrigin { _, _ in false }
            #expect(ready == nil)
            #expect(try queue.first(for: .disk) == tokens[0])
            #expect(try queue.all(for: .disk) == tokens)
            #expect(try queue.first(for: .origin) == nil)
        }
    }

    @Test("are looked at 256 at a time if they wait for space")
    func room() throws {
        try withCatalog { catalog in
            let tokens = try enter(257, .disk, in: catalog)
            var queue = SuspendedQueue(catalog: catalog)
            for expected in [tokens[..<256], tokens[256...], tokens[..<256]] {
                let look = try queue.nextForRoom()
                #expect(look.tokens == Array(expected))
                #expect(look.wanted.isEmpty, "none of them has a known size")
            }
        }
    }
}
