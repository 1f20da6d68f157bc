internal import Crypto
internal import Dispatch
internal import HLSPlaylist
internal import Locking
internal import SystemPackage

/// What a look at every stored byte of an asset came to.
public struct Verification: Sendable {
    /// The asset.
    public var token: AssetToken
    /// Files that were read.
    public var checked: Int
    /// Files that are gone, by their path in the asset's folder.
    public var missing: [String]
    /// Files with another length or other bytes than were downloaded, likewise.
    public var damaged: [String]

    /// A result.
    public init(token: AssetToken, checked: Int, missing: [String], damaged: [String]) {
        self.token = token
        self.checked = checked
        self.missing = missing
        self.damaged = damaged
    }

    /// Whether everything is as it was downloaded.
    public var isSound: Bool { missing.isEmpty && damaged.isEmpty }
}

private typealias Absent = [(rendition: Int64, kind: UnitKind, number: Int)]

extension AssetStore {
    /// Reads every stored file of an asset again and compares its SHA-256. What is gone or damaged is not
    /// served any more; `repair` fetches it again.
    public func verify(_ token: AssetToken) async throws(StoreError) -> Verification {
        guard let asset = try catalog.asset(token) else { throw StoreError(.noSuchAsset(token.description)) }
        let (result, absent) = try await whileWanted { isWanted throws(StoreError) in
            try self.look(through: asset, while: isWanted)
        }
        if !absent.isEmpty {
            try catalog.markAbsent(absent, as: .missing)
            changed(token)
            // What runs knows nothing of what is missing now.
            await engine.halt([token], isForGood: false)
            await engine.sync()
        }
        return result
    }

    /// Runs what reads for long on a thread of its own; `isWanted` tells whether somebody waits for it still.
    private func whileWanted<T: Sendable>(
        _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let isWanted = Lock(true)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    let result = Result { () throws(StoreError) in try work { isWanted.withLock(\.self) } }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            isWanted.withLock { $0 = false }
        }.get()
    }

    /// Looks at every file of an asset; what is not as it should be.
    private func look(
        through asset: AssetRecord, while isWanted: () -> Bool
    ) throws(StoreError) -> (Verification, Absent) {
        let token = asset.token
        // What is gone from a complete asset stays a finding until it is fetched again.
        let states: [UnitState] = asset.state == .complete ? [.stored, .missing] : [.stored]
        var result = Verification(token: token, checked: 0, missing: [], damaged: [])
        var absent: Absent = []
        try verifyPlaylists(token, &result)
        for rendition in try catalog.renditions(of: [token])[token] ?? [] where rendition.failure == nil {
            for unit in try catalog.units(of: rendition.id, states: states) {
                let job = UnitJob(unit: unit, rendition: rendition)
                let name = "\(rendition.name)/\(job.fileName)"
                result.checked += 1
                guard isWanted() else { throw StoreError(.stopped) }
                switch try Self.condition(of: paths.asset(token).appending(name), unit) {
                case .sound: continue
                case .missing: result.missing.append(name)
                case .damaged: result.damaged.append(name)
                }
                absent.append((rendition.id, unit.kind, unit.number))
            }
        }
        return (result, absent)
    }

    /// A playlist can be made again from what the origin sent, so that it needs no hash.
    private func verifyPlaylists(_ token: AssetToken, _ result: inout Verification) throws(StoreError) {
        for (name, made) in try BundlePlaylists(catalog: catalog, paths: paths, token: token).made() {
            result.checked += 1
            switch try Self.condition(of: paths.asset(token).pushing(FilePath(name)), made) {
            case .sound: continue
            case .missing: result.missing.append(name)
            case .damaged: result.damaged.append(name)
            }
        }
    }

    private enum Condition {
        case sound, missing, damaged
    }

    private static func condition(of path: FilePath, _ made: [UInt8]) throws(StoreError) -> Condition {
        do throws(StoreError) {
            guard let found = try DurableWrite.read(path) else { return .missing }
            return found == made ? .sound : .damaged
        } catch {
            if case .tooManyFiles = error.code { throw error }
            return .damaged
        }
    }

    private static func condition(of path: FilePath, _ unit: UnitRecord) throws(StoreError) -> Condition {
        guard unit.state == .stored, let facts = FileSystem.facts(path) else { return .missing }
        guard facts.isRegular, facts.size == unit.size else { return .damaged }
        do throws(StoreError) {
            return try FilePieces.sha256(of: path) == unit.sha256 ? .sound : .damaged
        } catch {
            if case .tooManyFiles = error.code { throw error }
            // What can't be read is of no use to players either, and to be fetched again.
            return .damaged
        }
    }

    /// Fetches what is missing of an asset, and what is gone or has another size than it should have; goes
    /// on with one that failed, was paused or cancelled.
    public func repair(_ token: AssetToken) async throws(StoreError) {
        guard let asset = try catalog.asset(token) else { throw StoreError(.noSuchAsset(token.description)) }
        guard let next = AssetAction.repair.outcome(from: asset.state) else {
            throw StoreError(.wrongState(asset.state, wanted: AssetAction.repair.participle))
        }
        guard next != asset.state else { return }
        try restorePlaylists(token)
        try restoreSubtitleFiles(token)
        try catalog.markAbsent(try unitsNotThere(token), as: .missing)
        for rendition in try catalog.renditions(of: [token])[token] ?? [] where rendition.failure != nil {
            try catalog.setFailure(nil, ofRendition: rendition.id)
        }
        try catalog.apply(.repair, to: token, TransitionDetail(reason: "slot", now: context.clock.now))
        changed(token)
        await engine.sync()
    }

    private func unitsNotThere(_ token: AssetToken) throws(StoreError) -> Absent {
        var absent: Absent = []
        for rendition in try catalog.renditions(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, rendition.name)
            for unit in try catalog.units(of: rendition.id, states: [.stored]) {
                let facts = FileSystem.facts(
                    folder.appending(UnitJob(unit: unit, rendition: rendition).fileName))
                guard facts?.isRegular != true || facts?.size != unit.size else { continue }
                absent.append((rendition.id, unit.kind, unit.number))
            }
        }
        return absent
    }

    /// Makes the served playlists again where they are not what they should be.
    func restorePlaylists(_ token: AssetToken) throws(StoreError) {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
    }
}
