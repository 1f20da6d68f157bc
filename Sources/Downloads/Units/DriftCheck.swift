internal import HLSPlaylist
internal import Locking

/// Checks whether an origin still has the stream of which an asset has stored a part, so that two versions are never
/// mixed. If this can't be found out for now, the stream counts as unchanged.
package struct DriftCheck: Sendable {
    package let token: AssetToken
    package let catalog: Catalog
    package let origin: Origin
    package let now: @Sendable () -> Timestamp

    package init(
        token: AssetToken, catalog: Catalog, origin: Origin, now: @escaping @Sendable () -> Timestamp
    ) {
        self.token = token
        self.catalog = catalog
        self.origin = origin
        self.now = now
    }

    /// The longest time of a check in seconds: a player may wait for the download after it.
    package static let patience = 5.0
    /// The number of units per rendition and run whose versions are kept: the first ones that arrive.
    package static let samples = 3

    /// The reason for which nothing more of the asset may be fetched; `nil` without one.
    package func finding() async throws(StoreError) -> StoreError? {
        Trace.pass(.drift, "\(token)")
        guard let record = try catalog.assets.asset(token), record.folder == nil,
            try catalog.recordings.recording(of: token) == nil
        else { return nil }
        let rows = (try catalog.renditions.all(of: [token])[token] ?? []).filter {
            $0.isFetched && $0.sourceFile == nil && $0.storedSegments > 0 && !$0.isComplete
        }
        guard let main = rows.first, origin.cooldowns.window(for: record.sourceURL) == nil else { return nil }
        let drift = await soon { try await look(at: rows, of: record, main) } ?? nil
        try catalog.health.setDrift(drift, of: token)
        return drift.map { StoreError(.streamChanged($0.rendition, of: token)) }
    }

    /// The result of a check; `nil` if it takes longer than `patience` or fails.
    private func soon<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { try? await body() }
            group.addTask {
                try? await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func look(
        at rows: [RenditionRecord], of record: AssetRecord, _ main: RenditionRecord
    ) async throws -> Drift? {
        let isPart = record.selection.start != nil || record.selection.end != nil
        for row in rows where try await isOtherPlaylist(row, isPart: isPart) {
            return Drift(
                rendition: row.name, isMixed: false, at: now(),
                detail: "the playlist of \(row.name) lists other segments than those that were downloaded")
        }
        return try await unitDrift(of: main)
    }

    // MARK: Playlists

    private func isOtherPlaylist(_ row: RenditionRecord, isPart: Bool) async throws -> Bool {
        guard let stored = try catalog.renditions.mediaPlaylist(token, row.name) else { return false }
        let known = try catalog.health.version(.playlist, ofRendition: row.id)
        guard
            case .changed(let bytes, let url, let version)? = try? await origin.look(
                at: stored.url, unless: known)
        else { return false }
        let context = VariableContext(imported: try catalog.renditions.variables(of: token), playlistURL: url)
        guard case .media(let fresh)? = try? Playlist(parsing: bytes, context: context) else { return false }
        guard fresh.isSameStream(as: stored.playlist, isPart: isPart) else { return true }
        try catalog.health.setVersion(version, .playlist, ofRendition: row.id)
        return false
    }

    // MARK: Units

    /// Looks at a few stored units of a rendition.
    private func unitDrift(of row: RenditionRecord) async throws -> Drift? {
        // Stored units may have come from another address of the stream, whose versions differ.
        let failOver = FailOver(token, catalog: catalog, origin: origin, now: now)
        guard await !failOver.isPossible(row) else { return nil }
        var evidence = DriftEvidence()
        for unit in try samples(of: row) {
            // If the origin names no versions, the bytes of one unit are enough.
            switch try await isSame(unit, of: row, byBytes: evidence == DriftEvidence()) {
            case true?: evidence.same += 1
            case false?: evidence.different += 1
            case nil: break
            }
        }
        guard evidence.verdict != .same else { return nil }
        let isMixed = evidence.verdict == .mixed
        return Drift(
            rendition: row.name, isMixed: isMixed, at: now(),
            detail: isMixed
                ? "stored segments of \(row.name) are of two versions of the stream"
                : "the origin's segments of \(row.name) now differ from the stored ones")
    }

    /// Compares the first and the last stored segment of a rendition with those at another address of the stream.
    ///
    /// - Parameter fresh: the units at that address.
    func evidence(of row: RenditionRecord, in fresh: [UnitRecord]) async throws(StoreError) -> DriftEvidence {
        let stored = try catalog.units.all(of: row.id, states: [.stored]).filter {
            $0.kind == .segment && $0.size ?? .max <= Origin.comparedLimit
        }
        var evidence = DriftEvidence()
        for number in Set([stored.first, stored.last].compactMap { $0?.number }) {
            guard let unit = stored.first(where: { $0.number == number }), let hash = unit.sha256,
                let other = fresh.first(where: { $0.kind == .segment && $0.number == number }),
                let digest = await origin.digest(of: other)
            else { continue }
            digest == hash ? (evidence.same += 1) : (evidence.different += 1)
        }
        return evidence
    }

    /// The units whose versions are known, and the last stored unit.
    private func samples(of row: RenditionRecord) throws(StoreError) -> [UnitRecord] {
        let stored = try catalog.units.all(of: row.id, states: [.stored]).filter { $0.kind == .segment }
        let known = try catalog.health.versions(ofRendition: row.id)
        var samples = stored.filter { known[$0.number] != nil }.prefix(Self.samples - 1).map(\.self)
        if samples.isEmpty, let first = stored.first { samples = [first] }
        if let last = stored.last, samples.last?.number != last.number { samples.append(last) }
        return samples
    }

    /// Whether the origin still has a unit as it is stored; `nil` if this is unknown. If the version differs, the
    /// bytes are compared, since some origins send another validator each time.
    ///
    /// - Parameter byBytes: whether to compare bytes, too, if the origin names no version.
    private func isSame(
        _ unit: UnitRecord, of row: RenditionRecord, byBytes: Bool
    ) async throws -> Bool? {
        guard let size = unit.size, let hash = unit.sha256, let now = await origin.version(of: unit.url)
        else {
            return nil
        }
        let known = try catalog.health.versions(ofRendition: row.id)[unit.number]
        // The origin's file still has the disguise that was removed before storing.
        if row.disguise != nil { return known.flatMap { $0.isSameVersion(as: now) ? true : nil } }
        let hasOtherLength = unit.range == nil && now.total.map { $0 != size } ?? false
        let isOther = hasOtherLength || known.map { !$0.isSameVersion(as: now) } ?? false
        // An equal length alone proves nothing.
        guard isOther || byBytes && !now.isNamed else { return now.isNamed ? true : nil }
        guard size <= Origin.comparedLimit, let digest = await origin.digest(of: unit) else { return nil }
        guard digest == hash else { return false }
        try catalog.health.setVersion(now, .segment(unit.number), ofRendition: row.id)
        return true
    }
}

/// The assets whose origins were checked for drift since the user last started them.
struct DriftLooks {
    private var looked: Set<AssetToken> = []

    /// Whether an asset's origin is to be checked now; it counts as checked from here on.
    mutating func begin(_ token: AssetToken) -> Bool { looked.insert(token).inserted }

    /// Makes the next `begin` check the asset's origin again.
    mutating func forget(_ token: AssetToken) { looked.remove(token) }
}

/// Decides for which segments the version is kept: the first ones of each rendition that arrive in a run.
package final class VersionSamples: Sendable {
    private let counts = Lock<[Int64: Int]>([:])

    package func takes(_ rendition: Int64) -> Bool {
        counts.withLock { counts in
            guard counts[rendition, default: 0] < DriftCheck.samples else { return false }
            counts[rendition, default: 0] += 1
            return true
        }
    }
}
