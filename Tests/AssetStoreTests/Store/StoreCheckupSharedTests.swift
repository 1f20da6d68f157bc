import Locking
import ObjectStorage
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "A checkup of a shared store", .enabled(if: PostgresServer.runs), .ofSQLite, .timeLimit(.minutes(1)))
struct StoreCheckupSharedTests {
    private let folder: TemporaryDirectory
    private let address: PostgresAddress
    /// The nodes whose URLs were asked.
    private let asked = Lock<[[String]]>([])

    init() throws {
        folder = try TemporaryDirectory()
        address = PostgresAddress(try PostgresServer.shared.get().newDatabase())
    }

    private func findings(
        _ address: PostgresAddress? = nil, media: BucketMedia.Settings? = nil
    ) async -> [StoreCheckup.Finding] {
        await StoreCheckup.shared(
            FilePath(folder.path), address ?? self.address, media: media, print: { nil },
            reach: { [asked] nodes in
                asked.withLock { $0.append(nodes.map(\.url)) }
                return StoreCheckup.Finding(check: "reach", isFine: true, detail: "")
            })
    }

    /// A bucket that nobody has.
    private func bucket() throws -> BucketMedia.Settings {
        let location = try S3Location("s3://films/store", endpoint: "http://127.0.0.1:1")
        return BucketMedia.Settings(
            location, credentials: S3Credentials(accessKey: "a", secretKey: "b"), cacheSize: 1 << 30)
    }

    @Test("of a new database has no tables, keys or nodes to check; a bucket only if one is named")
    func new() async throws {
        let found = await findings()
        #expect(found.map(\.check) == ["database", "durability", "clocks", "tables"])
        #expect(found.last?.isFine == true && found.last?.detail == "none yet; the first node makes them")
        // The server of these tests does not flush its files.
        #expect(found[1].detail.hasPrefix("off in the database: ") && found[1].detail.contains("fsync"))
        #expect(found[0].isFine && !found[1].isFine && found[2].isFine)
        let more = await findings(media: try bucket())
        #expect(more.map(\.check) == ["database", "durability", "clocks", "tables", "bucket"])
        #expect(more.last?.isFine == false)
        #expect(asked.withLock(\.self).isEmpty)
    }

    @Test("asks the living nodes, and names the active one and those that stand by")
    func nodes() async throws {
        let first = StoreNode(address, at: "http://films-1.example:8090")
        try first.prepare()
        let none = await findings()
        let checks = [
            "database", "durability", "clocks", "tables", "collation", "shared key", "nodes", "reach",
            "bucket",
        ]
        #expect(none.map(\.check) == checks)
        #expect(none[6].isFine && none[6].detail == "none runs; start one with `serve`")
        #expect(none[3].isFine && none[4].isFine && none[5].isFine)
        #expect(none[5].detail == "none yet; the first node makes it")
        #expect(!none[8].isFine && none[8].detail.hasPrefix("nothing here tells how the bucket is reached; "))
        guard case .own(let ownership) = try first.look() else {
            Issue.record("the store has an owner")
            return
        }
        let alone = await findings()[6]
        #expect(
            alone.detail
                == "http://films-1.example:8090 is active; none stands by, so that nobody takes over when it dies"
        )
        let second = StoreNode(address, at: "http://films-2.example:8090")
        _ = try second.look()
        let both = await findings()[6]
        #expect(
            both.isFine
                && both.detail
                    == "http://films-1.example:8090 is active; http://films-2.example:8090 stands by"
        )
        try first.leave(ownership)
        let orphaned = await findings()[6]
        #expect(!orphaned.isFine && orphaned.detail.hasPrefix("none is active; "))
        try second.leave(nil)
        let (one, two) = ("http://films-1.example:8090", "http://films-2.example:8090")
        #expect(asked.withLock(\.self) == [[], [one], [one, two], [two]])
    }

    @Test("that can't be reached finds just that")
    func unreachable() async {
        let found = await findings(PostgresAddress("postgresql://postgres@127.0.0.1:1/films"))
        #expect(found.map(\.check) == ["database"] && found.first?.isFine == false)
    }
}
