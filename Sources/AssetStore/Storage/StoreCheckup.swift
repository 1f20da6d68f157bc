internal import Foundation
package import SystemPackage

/// Checks a store for faults.
package enum StoreCheckup {
    /// The result of one check.
    package struct Finding: Sendable {
        /// The name of the check.
        package var check: String
        /// Whether the check found no fault.
        package var isFine: Bool
        /// The result, and the advice.
        package var detail: String

        /// A finding.
        package init(check: String, isFine: Bool, detail: String) {
            self.check = check
            self.isFine = isFine
            self.detail = detail
        }
    }

    /// Checks the store in `root`, changing nothing.
    ///
    /// - Parameter conditions: the source of the free space.
    package static func run(
        _ root: FilePath, conditions: EngineConditions = EngineConditions()
    ) -> [Finding] {
        guard FileSystem.isDirectory(root) else { return [missing(root)] }
        let findings: [Finding?] = [
            folder(root), migration(root), catalog(root), storeKey(root), settings(root), absences(root),
            programs(root),
            engine(root),
            space(conditions.space(root)), quota(root), orphans(root), assets(root),
        ]
        return findings.compactMap(\.self)
    }

    /// A store that does not exist yet can be made if the nearest existing folder above it is writable.
    private static func missing(_ root: FilePath) -> Finding {
        var place = root
        while !FileSystem.isThere(place), !place.name.isEmpty { place = place.parent }
        let problem =
            FileSystem.isDirectory(place)
            ? FileSystem.refusal(of: place, forFolder: true).map(Self.inability) : "is not a folder"
        return Finding(
            check: "store", isFine: problem == nil,
            detail: problem.map {
                "\(root) can't be made, as \(place) \($0); \(Remedy.otherFolder)"
            }
                ?? "\(root) does not exist yet; the first download makes it")
    }

    private static func inability(_ refusal: Errno) -> String {
        refusal == .readOnlyFileSystem ? "is on a read-only file system" : "can't be written"
    }

    private static func folder(_ root: FilePath) -> Finding {
        let problem = obstacle(root)
        return Finding(check: "store", isFine: problem == nil, detail: problem ?? root.string)
    }

    /// The obstacle to an engine in a folder; `nil` without one.
    private static func obstacle(_ root: FilePath) -> String? {
        if let refusal = FileSystem.refusal(of: root, forFolder: true) { return unwritable(root, refusal) }
        let assets = StorePaths(root: root).assets
        guard FileSystem.facts(assets) != nil else { return nil }
        guard FileSystem.isDirectory(assets) else {
            return
                "\(assets) is neither a folder nor a link to one; restore the folder, or the folder that the link names"
        }
        return FileSystem.refusal(of: assets, forFolder: true).map { unwritable(assets, $0) }
    }

    /// The sentence about a folder that can't be written.
    static func unwritable(_ folder: FilePath, _ refusal: Errno) -> String {
        refusal == .readOnlyFileSystem
            ? "\(folder) can't be written: its file system is read-only; mount it for writing, or \(Remedy.otherFolder)"
            : "\(folder) can't be written; check its owner and permissions"
    }

    /// A store that is being moved, or was moved; `nil` for others.
    private static func migration(_ root: FilePath) -> Finding? {
        do throws(StoreError) {
            try MigrationFile(StorePaths(root: root)).check()
            return nil
        } catch {
            return Finding(check: "migration", isFine: false, detail: error.message)
        }
    }

    private static func catalog(_ root: FilePath) -> Finding {
        let paths = StorePaths(root: root)
        do throws(StoreError) {
            if let address = try NodeFolder(paths).address() {
                _ = try Catalog(reading: address).storage.hasAssets()
                return Finding(
                    check: "catalog", isFine: true, detail: "shared with other nodes in \(address.shown)")
            }
            guard let catalog = try Catalog(reading: paths.catalog) else {
                let lost = LostCatalog.folders(paths).count
                let problem = lost > 0 ? LostCatalog.occurrence(lost, paths) : nil
                return Finding(
                    check: "catalog", isFine: problem == nil,
                    detail: problem.map { "\($0); \(LostCatalog.advice)" } ?? "none yet")
            }
            let problem = try catalog.damage().map { "\($0); \(LostCatalog.advice)" }
            let place = try catalog.storage.mediaPlace().map { "; its media are in \($0)" } ?? ""
            return Finding(check: "catalog", isFine: problem == nil, detail: problem ?? "sound\(place)")
        } catch {
            // This error's advice is to run this very check.
            let isShared = ((try? NodeFolder(paths).catalog) ?? nil) != nil
            guard case .database = error.code, !isShared else {
                return Finding(check: "catalog", isFine: false, detail: error.message)
            }
            return Finding(
                check: "catalog", isFine: false, detail: "\(error.occurrence); \(LostCatalog.advice)")
        }
    }

    private static func settings(_ root: FilePath) -> Finding {
        let path = StorePaths(root: root).settings
        guard FileSystem.facts(path) != nil else {
            return Finding(check: "settings", isFine: true, detail: "none")
        }
        do throws(StoreError) {
            let exposure = try EngineSettings.read(path).exposure(path)
            return Finding(check: "settings", isFine: exposure == nil, detail: exposure ?? path.string)
        } catch {
            return Finding(check: "settings", isFine: false, detail: error.message)
        }
    }

    /// Secrets outside of the settings file that are missing; `nil` if all are there. A running engine may have
    /// secrets that this process does not have.
    private static func absences(_ root: FilePath) -> Finding? {
        let paths = StorePaths(root: root)
        let settings = try? EngineSettings.read(paths.settings)
        let absences = settings?.absences(ProcessInfo.processInfo.environment) ?? []
        guard !absences.isEmpty else { return nil }
        let hasEngine = StoreLock.holder(paths.lock) != nil
        let detail = absences.joined(separator: "; ")
        return Finding(
            check: "secrets", isFine: hasEngine,
            detail: hasEngine
                ? "\(detail); the running server may have them from its own environment" : detail)
    }

    /// Programs of the settings that can't be started; `nil` when all can.
    private static func programs(_ root: FilePath) -> Finding? {
        let settings = try? EngineSettings.read(StorePaths(root: root).settings)
        let lacking = settings?.lackingPrograms(ProcessInfo.processInfo.environment) ?? []
        guard !lacking.isEmpty else { return nil }
        return Finding(check: "programs", isFine: false, detail: lacking.joined(separator: "; "))
    }

    private static func engine(_ root: FilePath) -> Finding {
        guard let engine = StoreLock.holder(StorePaths(root: root).lock) else {
            return Finding(check: "engine", isFine: true, detail: "not running")
        }
        return Finding(
            check: "engine", isFine: true, detail: "process \(engine.pid), \(engine.url ?? "starting")")
    }

    private static func space(_ space: (free: UInt64, total: UInt64)?) -> Finding {
        guard let space else { return Finding(check: "space", isFine: true, detail: "unknown") }
        let cushion = StoragePolicy.cushion(of: space.total)
        let isFine = space.free > cushion
        let detail = "\(size(space.free)) free; downloads leave \(size(cushion)) of it unused"
        return Finding(
            check: "space", isFine: isFine,
            detail: isFine ? detail : "\(detail), so no download continues; delete files that you do not need"
        )
    }

    /// Only a store with a quota is checked.
    private static func quota(_ root: FilePath) -> Finding? {
        let paths = StorePaths(root: root)
        let policy =
            StoreLock.holder(paths.lock)?.storage ?? (try? EngineSettings.read(paths.settings).storage)
        guard let policy, let quota = policy.quota,
            let catalog = (try? Catalog(reading: paths.catalog)) ?? nil,
            let stored = try? catalog.assets.storedBytes()
        else { return nil }
        let used = UInt64(clamping: stored)
        let isFine = used < quota || !policy.evict.isEmpty
        let detail = "\(size(used)) of \(size(quota)) used"
        let advice =
            "no download continues; raise the quota, remove assets, or allow evictions (storage.evict)"
        return Finding(
            check: "quota", isFine: isFine, detail: isFine ? detail : "\(detail), so that \(advice)")
    }

    private static func size(_ bytes: UInt64) -> String { HumanUnits.bytes(Int64(clamping: bytes)) }

    /// `nil` if the catalog can't be read, which another check reports.
    private static func orphans(_ root: FilePath) -> Finding? {
        do throws(StoreError) {
            let reader = try StoreReader(root: root)
            let orphans = try reader.orphans.all()
            return Finding(
                check: "orphans", isFine: orphans.isEmpty,
                detail: try describe(orphans, reader.catalog))
        } catch {
            if case .database = error.code { return nil }
            return Finding(check: "orphans", isFine: false, detail: error.message)
        }
    }

    /// The orphans, and when they are deleted.
    private static func describe(_ orphans: [Orphan], _ catalog: Catalog?) throws(StoreError) -> String {
        guard !orphans.isEmpty else { return "none" }
        let text = "folders that belong to no asset: \(listed(orphans.map(\.path)))"
        let lost = orphans.count { $0.kind == .asset }
        guard lost > 0 else { return text }
        guard try lost <= catalog?.storage.assetCount() ?? 0 else {
            let fate = "the catalog lacks more assets (\(lost)) than it has, so \(Remedy.prune) keeps them"
            return "\(text); \(fate): \(LostCatalog.advice)"
        }
        let fate = "\(Remedy.prune) deletes those that look like folders of assets"
        return "\(text); \(fate), so first restore an older catalog.db that has them, if you have one"
    }
}
