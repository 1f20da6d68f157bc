public import SystemPackage

/// Looks for what could be wrong with a store.
public enum StoreCheckup {
    /// The result of one check.
    public struct Finding: Sendable {
        /// What was looked at.
        public var check: String
        /// Whether it is as it should be.
        public var isFine: Bool
        /// What was found, and what to do about it.
        public var detail: String

        /// A finding.
        public init(check: String, isFine: Bool, detail: String) {
            self.check = check
            self.isFine = isFine
            self.detail = detail
        }
    }

    /// Checks the store in `root`, changing nothing.
    public static func run(_ root: FilePath) -> [Finding] {
        guard FileSystem.isDirectory(root) else { return [missing(root)] }
        return [
            folder(root), catalog(root), storeKey(root), settings(root), engine(root), space(root),
            orphans(root),
        ]
    }

    /// A store that is not there yet can be made when the nearest folder above it may be written.
    private static func missing(_ root: FilePath) -> Finding {
        var place = root
        while !FileSystem.isThere(place), !place.components.isEmpty { place.removeLastComponent() }
        let problem =
            FileSystem.isDirectory(place)
            ? FileSystem.isWritable(place) ? nil : "can't be written" : "is not a folder"
        return Finding(
            check: "store", isFine: problem == nil,
            detail: problem.map {
                "\(root) can't be made, as \(place) \($0); choose another folder with --store"
            }
                ?? "\(root) does not exist yet; the first download makes it")
    }

    private static func folder(_ root: FilePath) -> Finding {
        let isFine = FileSystem.isWritable(root)
        return Finding(
            check: "store", isFine: isFine,
            detail: isFine ? root.string : "\(root) can't be written; check its owner")
    }

    private static func catalog(_ root: FilePath) -> Finding {
        do throws(StoreError) {
            guard let catalog = try Catalog(reading: StorePaths(root: root).catalog) else {
                return Finding(check: "catalog", isFine: true, detail: "none yet")
            }
            let problem = try catalog.damage()
            return Finding(check: "catalog", isFine: problem == nil, detail: problem ?? "sound")
        } catch {
            return Finding(check: "catalog", isFine: false, detail: error.message)
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

    private static func engine(_ root: FilePath) -> Finding {
        guard let engine = StoreLock.holder(StorePaths(root: root).lock) else {
            return Finding(check: "engine", isFine: true, detail: "not running")
        }
        return Finding(
            check: "engine", isFine: true, detail: "process \(engine.pid), \(engine.url ?? "starting")")
    }

    private static func space(_ root: FilePath) -> Finding {
        guard let free = FileSystem.freeSpace(at: root) else {
            return Finding(check: "space", isFine: true, detail: "unknown")
        }
        return Finding(check: "space", isFine: free > 100_000_000, detail: "\(free / 1_000_000) MB free")
    }

    private static func orphans(_ root: FilePath) -> Finding {
        do throws(StoreError) {
            let orphans = try StoreReader(root: root).storage().orphans
            let detail =
                orphans.isEmpty
                ? "none" : "folders that belong to no asset: \(orphans.map(\.path).joined(separator: ", "))"
            return Finding(check: "orphans", isFine: orphans.isEmpty, detail: detail)
        } catch {
            return Finding(check: "orphans", isFine: false, detail: error.message)
        }
    }
}
