internal import Foundation
internal import Glibc
internal import Locking
package import SystemPackage

/// Moves a whole store between the folder of one machine and a shared catalog with its bucket.
///
/// First the media are copied, and the SHA-256 of each file is checked. Then one transaction copies all rows. From
/// then on the new store is the valid one; until then its note (`MigrationNote`) keeps it from being served. A run
/// that was interrupted at any moment is continued by the next one. The old store stays as it is, and its note names
/// the place of the new one.
package struct StoreMigration: Sendable {
    /// The result.
    package struct Report: Sendable {
        package var assets = 0
        /// The media files that this run has copied, their bytes, and the number of files that an earlier run had
        /// copied.
        package var files = 0
        package var bytes: UInt64 = 0
        package var earlier = 0
        package var rows = 0
        /// Stored files that are missing or damaged in the old store. In the new one, a repair fetches them.
        package var absent: [AbsentFile] = []
        /// Whether an earlier run had moved the store already.
        package var wasDone = false
    }

    /// A stored file that is missing or damaged.
    package struct AbsentFile: Sendable {
        package var token: AssetToken
        package var name: String
        package var row: AbsentRow
    }

    /// The progress of a migration.
    package enum Step: Sendable {
        /// Media are being copied: the bytes that are done, and all bytes.
        case media(done: Int64, total: Int64)
        /// Rows are being copied: the number of rows that are done.
        case rows(Int)
    }

    let paths: StorePaths
    let address: PostgresAddress
    let bucket: BucketMedia.Settings
    /// Compares the secrets of the folder with those of the shared catalog.
    let settle: @Sendable (StorePaths, Catalog) throws(StoreError) -> Void
    let tell: @Sendable (String) -> Void
    let step: @Sendable (Step) -> Void
    /// The number of files that are copied at the same time.
    static let width = 8
    static let threads = WorkPool(threads: 10)

    package init(
        _ root: FilePath, _ address: PostgresAddress, _ bucket: BucketMedia.Settings,
        settle: @escaping @Sendable (StorePaths, Catalog) throws(StoreError) -> Void,
        tell: @escaping @Sendable (String) -> Void, step: @escaping @Sendable (Step) -> Void
    ) {
        paths = StorePaths(root: root)
        (self.address, self.bucket, self.settle) = (address, bucket, settle)
        (self.tell, self.step) = (tell, step)
    }

    /// Moves the store of the folder into the shared catalog and the bucket.
    package func share() async throws(StoreError) -> Report {
        try await OfflineStore.onOwnThread { () throws(StoreError) in
            try await work { folder, lease, carrier throws(StoreError) in
                let shared = try Catalog(postgres: address, ownership: lease.ownership)
                defer { shared.close() }
                return try await StoreSharing(plan: self, file: folder, shared: shared, carrier: carrier)
                    .run()
            }
        }
    }

    /// Moves the store of the shared catalog and the bucket into the folder.
    package func takeBack() async throws(StoreError) -> Report {
        try await OfflineStore.onOwnThread { () throws(StoreError) in
            try FileSystem.makeDirectory(paths.root)
            return try await work { folder, lease, carrier throws(StoreError) in
                let shared = try Catalog(postgres: address, ownership: lease.ownership)
                defer { shared.close() }
                return try await StoreReturn(plan: self, file: folder, shared: shared, carrier: carrier)
                    .run()
            }
        }
    }

    /// Checks whether the bucket can be used, locks both stores, and runs `body`.
    private func work(
        _ body: (MigrationFile, MigrationLease, BucketCarrier) async throws(StoreError) -> Report
    ) async throws(StoreError) -> Report {
        if let place = try NodeFolder(paths).catalog { throw StoreError(.catalogElsewhere(place)) }
        guard FileSystem.isDirectory(paths.root) else { throw StoreError(.noStore(paths.root.string)) }
        if let trouble = try await BucketMedia.check(bucket) {
            throw StoreError(.bucket("\(trouble); then run the same command again", isTemporary: true))
        }
        let lock = try StoreLock(paths.lock)
        defer { lock.release() }
        let carrier = try BucketCarrier(bucket)
        let result: Result<Report, StoreError>
        do throws(StoreError) {
            let lease = try MigrationLease.claim(address, tell: tell)
            defer { lease.end() }
            result = .success(try await body(MigrationFile(paths), lease, carrier))
        } catch {
            result = .failure(error)
        }
        await carrier.stop()
        return try result.get()
    }

    /// Kills the process at this point if a test demands it.
    static func pass(_ point: String) {
        #if DEBUG
            if ProcessInfo.processInfo.environment["OFFLINE_SERVER_MIGRATION_KILL"] == point {
                kill(getpid(), SIGKILL)
            }
        #endif
    }

    /// The name of the folder in the other store's note.
    var folderName: String { "\(paths.root) on \(ProcessInfo.processInfo.hostName)" }

    /// What became of a stored file.
    enum Outcome: Sendable {
        /// This run, or an earlier one, has copied it.
        case copied, known
        /// It is missing or damaged.
        case absent(UnitFinding)
    }

    /// Copies the files of units by `work`, counts them in `report`, and tells the progress.
    ///
    /// - Parameters:
    ///   - done: the bytes of the units so far, which those of `units` are added to.
    ///   - total: the bytes of all units.
    func copy(
        _ units: [MovingUnit], done: inout Int64, total: Int64, to report: inout Report,
        by work: @escaping @Sendable (MovingUnit) async throws(StoreError) -> Outcome
    ) async throws(StoreError) {
        try await Self.forEach(units) { unit throws(StoreError) in
            (unit, try await work(unit))
        } then: { unit, outcome throws(StoreError) in
            switch outcome {
            case .copied:
                report.files += 1
                report.bytes += unit.size
            case .known: report.earlier += 1
            case .absent(let finding): report.absent.append(unit.absent(finding))
            }
            Self.pass("media")
            done += Int64(clamping: unit.size)
            step(.media(done: done, total: max(total, done)))
        }
    }

    /// Runs `work` on all elements, `width` at a time, and passes each result to `take` in the caller's task. After
    /// the first error no more work is started.
    private static func forEach<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        _ work: @escaping @Sendable (Element) async throws(StoreError) -> Value,
        then take: (Value) throws(StoreError) -> Void
    ) async throws(StoreError) {
        var failure: StoreError?
        await withTaskGroup(of: Result<Value, StoreError>.self) { group in
            var rest = elements[...]
            func addNext() {
                guard let next = rest.popFirst() else { return }
                group.addTask(executorPreference: threads) {
                    do throws(StoreError) { return .success(try await work(next)) } catch {
                        return .failure(error)
                    }
                }
            }
            for _ in 0..<width { addNext() }
            while let result = await group.next() {
                do throws(StoreError) {
                    try take(try result.get())
                    if failure == nil { addNext() }
                } catch {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
        guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
    }
}

/// A stored unit that is copied between its file in the folder and its object in the bucket.
struct MovingUnit: Sendable {
    let token: AssetToken
    let job: UnitJob
    let path: FilePath
    let size: UInt64
    let sha256: [UInt8]

    /// `nil` if the unit is not stored.
    init?(_ job: UnitJob, of token: AssetToken, in paths: StorePaths) {
        guard job.unit.state == .stored, let size = job.unit.size, let sha256 = job.unit.sha256 else {
            return nil
        }
        (self.token, self.job, self.size, self.sha256) = (token, job, size, sha256)
        path = paths.rendition(token, job.rendition.name).appending(job.fileName)
    }

    /// The key in the bucket of the unit's object with this name.
    func key(_ object: String) -> String { "\(token)/\(job.rendition.name)/\(job.fileName).\(object)" }

    /// The fault of the file; `nil` if it has the bytes that were stored.
    func fault() throws(StoreError) -> UnitFinding? {
        guard let found = try FileSystem.size(ofFile: path) else { return .gone }
        guard found == size else { return .damaged }
        return try FilePieces.sha256(of: path) == sha256 ? nil : .damaged
    }

    func absent(_ finding: UnitFinding) -> StoreMigration.AbsentFile {
        let row = AbsentRow(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, finding: finding)
        return .init(token: token, name: "\(job.rendition.name)/\(job.fileName)", row: row)
    }
}

extension StoreMigration.Report {
    /// Enters the files that are missing or damaged into the catalog of the new store.
    func noteAbsent(in catalog: Catalog, at now: Timestamp) throws(StoreError) {
        for (token, files) in Dictionary(grouping: absent, by: \.token) {
            try catalog.units.noteDamage(
                to: token, files.map(\.row), reason: files.first?.name ?? "", at: now)
        }
    }
}
