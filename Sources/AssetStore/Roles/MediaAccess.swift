internal import HLSPlaylist
internal import Logging

/// Fetches media that a player waits for, and decrypts stored media if the license permits it.
package struct MediaAccess: Sendable {
    let catalog: Catalog
    let reader: StoreReader
    let engine: DownloadEngine
    let context: EngineParts
    let keys: KeyDesk
    let plans: DecryptionPlans
    let log: Logger

    /// Puts a unit that a player wants at the front of the queue.
    ///
    /// - Parameter counts: whether this counts as a play.
    /// - Returns: the arriving file, which keeps the request alive; `nil` if nothing may be fetched for the asset
    ///   now.
    package func demand(_ unit: AbsentUnit, counts: Bool = true) async -> ArrivingFile? {
        Trace.pass(.demand, unit.key.traced)
        if let object = unit.bucket {
            guard let bucket = reader.bucket else { return nil }
            let hold = reader.players.hold(unit.key, end: unit.end, counts: counts)
            return ArrivingFile(bucket.arriving(object), hold: hold)
        }
        if let file = reader.arriving.file(unit.key), file.end?.isComplete == true {
            return ArrivingFile(file)
        }
        if context.network.originFallback == .unmetered { await context.network.look() }
        guard mayFetch(unit) else { return nil }
        let file = reader.arriving.expect(unit.key, at: unit.path)
        let hold = reader.players.hold(unit.key, end: unit.end, counts: counts)
        if !reader.players.isServed(unit.key.token) { await engine.demanded(unit.key) }
        return ArrivingFile(file, hold: hold)
    }

    /// Fetches whole units; returns when they are stored or have failed, or when the task is cancelled.
    ///
    /// - Parameter counts: whether this counts as a play.
    /// - Returns: whether all of them could be requested, and none has failed before its first byte.
    package func fetch(_ units: [AbsentUnit], counts: Bool) async -> Bool {
        var files: [ArrivingFile] = []
        for unit in units {
            guard let file = await demand(unit, counts: counts) else { return false }
            files.append(file)
        }
        for unit in units where unit.bucket == nil { await reader.arriving.untilGone(unit.key) }
        for (unit, file) in zip(units, files) where unit.bucket != nil { _ = try? await file.ended() }
        // The requests for them live as long as these files.
        return withExtendedLifetime(files) { !files.contains(where: \.hasFailed) }
    }

    private func mayFetch(_ unit: AbsentUnit) -> Bool {
        switch unit.state {
        case .downloading: true
        case .queued:
            unit.reason == nil || unit.reason == StateReason.slot.rawValue || context.network.mayFallBack
        case .paused, .cancelled, .failed, .complete: !unit.isGone && context.network.mayFallBack
        case .resolving, .removing: false
        }
    }

    /// A media playlist that identifies the keys of samples by key ID, for players that ask the ClearKey license URL
    /// for them (W3C Encrypted Media Extensions); `nil` if there is no such rendition. Blocks.
    ///
    /// - Parameters:
    ///   - view: the view of an unfinished recording, and the start time.
    ///   - isAvailableOnly: whether to list only stored segments.
    package func clearKeyMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView = LiveView(), isAvailableOnly: Bool = false
    ) throws(StoreError) -> [UInt8]? {
        var view = view
        (view.isForClearKey, view.isClear) = (true, false)
        view.identifiers = Set(try clearKeyIdentifiers(of: token))
        if isAvailableOnly {
            return try reader.playlists.availableMediaPlaylist(token, rendition, view: view)
        }
        if let bytes = try reader.playlists.growingMediaPlaylist(token, rendition, view: view) {
            return bytes
        }
        return try reader.playlists.wholeMediaPlaylist(token, rendition, view: view)
    }

    /// The key IDs of all stored content keys.
    private func clearKeyIdentifiers(of token: AssetToken) throws(StoreError) -> [[UInt8]] {
        let stored = try catalog.renditions.keys(of: token).filter { $0.sealed != nil && $0.format == nil }
        let names = Set(stored.map(\.id))
        return stored.compactMap(\.identifier)
            + plans.identifiers(of: token).filter { names.contains($0.value) }.map(\.key)
    }
}
