import ASCII
import Downloads
import Locking
import ModelTestSupport
import ObjectStorage
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A unit that moves with its store", .timeLimit(.minutes(1)))
struct MovingUnitTests {
    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    private var paths: StorePaths { StorePaths(root: FilePath(folder.path)) }
    private var path: FilePath { paths.rendition(token, "video").appending("0.ts") }

    /// A stored unit whose file has the text "abc", if `change` says nothing else.
    private func made(_ number: Int = 0, _ change: (inout UnitRecord) -> Void = { _ in }) -> MovingUnit? {
        let row = RenditionRecord(
            id: 7, name: "video", position: 0, kind: .variant, required: true, listings: [],
            hasPlaylist: true, container: .ts, duration: 4, segments: 1)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        var unit = UnitRecord(
            kind: .segment, number: number, start: 0, duration: 4, url: "\(number).ts", state: .stored,
            size: 3, sha256: Hexadecimal.bytes(hash))
        change(&unit)
        return MovingUnit(UnitJob(unit: unit, rendition: row), of: token, in: paths)
    }

    @Test("is one that is stored, with a known length and hash")
    func stored() {
        #expect(made()?.size == 3 && made()?.sha256.count == 32)
        #expect(made { $0.state = .missing } == nil)
        #expect(made { $0.state = .lost } == nil)
        #expect(made { $0.size = nil } == nil)
        #expect(made { $0.sha256 = nil } == nil)
    }

    @Test("is sound if its file has the stored bytes, and no byte less, more or else")
    func fault() throws {
        let unit = try #require(made())
        #expect(try unit.fault() == .gone)
        try FileSystem.makeDirectory(path.parent)
        for (text, finding) in [("abc", nil), ("abd", .damaged), ("ab", .damaged), ("abcd", .damaged)]
            as [(String, UnitFinding?)]
        {
            try DurableWrite.write(Array(text.utf8), to: path)
            #expect(try unit.fault() == finding, "\(text)")
        }
    }

    @Test("has a key below its rendition, and is named by its file if it is absent")
    func names() throws {
        let unit = try #require(made())
        #expect(unit.path == path && unit.key("x-1") == "\(token)/video/0.ts.x-1")
        let absent = unit.absent(.gone)
        #expect(absent.token == token && absent.name == "video/0.ts")
        #expect(absent.row == AbsentRow(rendition: 7, kind: .segment, number: 0, finding: .gone))
    }

    // MARK: Copies

    private func plan(
        _ step: @escaping @Sendable (StoreMigration.Step) -> Void = { _ in }
    ) throws -> StoreMigration {
        let location = try S3Location("s3://films/store", endpoint: "http://127.0.0.1:1")
        let credentials = S3Credentials(accessKey: "a", secretKey: "b")
        return StoreMigration(
            FilePath(folder.path), PostgresAddress("postgresql://films@db.example/films"),
            BucketMedia.Settings(location, credentials: credentials, cacheSize: 1 << 30),
            settle: { _, _ in }, tell: { _ in }, step: step)
    }

    /// Units with numbers from 0 on.
    private func units(_ sizes: [UInt64]) -> [MovingUnit] {
        sizes.indices.compactMap { index in made(index) { $0.size = sizes[index] } }
    }

    @Test(
        "is counted as copied, known or absent, and its bytes are done in each case",
        arguments: [(Int64(1000), Int64(1000)), (130, 130), (129, 130), (0, 130)])
    func counts(_ total: Int64, _ told: Int64) async throws {
        let steps = Lock<[[Int64]]>([])
        let migration = try plan { step in
            guard case .media(let done, let total) = step else { return }
            steps.withLock { $0.append([done, total]) }
        }
        var (report, done) = (StoreMigration.Report(), Int64(7))
        try await migration.copy(units([100, 20, 3]), done: &done, total: total, to: &report) {
            (unit: MovingUnit) async throws(StoreError) -> StoreMigration.Outcome in
            switch unit.job.unit.number {
            case 0: .copied
            case 1: .known
            default: .absent(.damaged)
            }
        }
        #expect(report.files == 1 && report.bytes == 100 && report.earlier == 1)
        #expect(report.absent.map(\.name) == ["video/2.ts"] && report.absent.map(\.row.finding) == [.damaged])
        #expect(done == 130)
        #expect(steps.withLock(\.count) == 3)
        #expect(steps.withLock(\.last) == [130, told])
    }

    @Test("is one of eight at the same time, and no more are begun if all of these fail")
    func width() async throws {
        let (migration, started) = (try plan(), Lock(0))
        let all = units([UInt64](repeating: 1, count: 20))
        var (report, done) = (StoreMigration.Report(), Int64(0))
        try await migration.copy(all, done: &done, total: 20, to: &report) {
            (_: MovingUnit) async throws(StoreError) -> StoreMigration.Outcome in .copied
        }
        #expect(report.files == 20 && done == 20)
        let error = await failure {
            try await migration.copy(all, done: &done, total: 20, to: &report) {
                (_: MovingUnit) async throws(StoreError) -> StoreMigration.Outcome in
                started.withLock { $0 += 1 }
                throw StoreError(.vault)
            }
        }
        guard case .vault? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(started.withLock(\.self) == StoreMigration.width)
        #expect(report.files == 20 && done == 20)
    }

    @Test("is not copied to the end if the task was cancelled")
    func cancelled() async throws {
        let migration = try plan()
        let error = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await failure {
                var (report, done) = (StoreMigration.Report(), Int64(0))
                try await migration.copy([], done: &done, total: 0, to: &report) {
                    (_: MovingUnit) async throws(StoreError) -> StoreMigration.Outcome in .copied
                }
            }
        }.value
        guard case .stopped(.cancelled)? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
