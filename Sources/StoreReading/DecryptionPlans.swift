package import HLSPlaylist
internal import Locking
internal import SystemPackage

/// The cached encryption facts of renditions that are decrypted while they are served. The facts of an asset are
/// removed when the asset changes.
package final class DecryptionPlans: Sendable {
    private struct Name: Hashable {
        var token: AssetToken
        var rendition: String
    }

    /// The facts of one rendition.
    package struct Entry: Sendable {
        package var plan: DecryptionPlan
        package var container: ContainerFormat
        /// The tracks of its initialization sections, by their number, as far as they have been read.
        package var tracks: [Int: [Int: TrackEncryption]] = [:]
        /// The tables of transport streams' initialization sections, by their number, as far as they have been read.
        package var tables: [Int: TransportTables] = [:]

        /// Whether an initialization section has been read.
        package func knows(section: Int) -> Bool { tracks[section] != nil || tables[section] != nil }
    }

    private let reader: StoreReader
    private let entries = Lock<[Name: Entry]>([:])
    /// Assets for which a failure to decrypt was logged.
    private let failures = Lock<Set<AssetToken>>([])
    static let largestCount = 64

    /// Creates the cache of a store's reader.
    package init(_ reader: StoreReader) { self.reader = reader }

    /// The facts of a rendition; `nil` if none with a playlist exists.
    ///
    /// - Parameter unit: a unit that must be in the playlist; if it is not, the playlist is read again.
    package func entry(
        _ token: AssetToken, _ rendition: String, knowing unit: UnitName? = nil
    ) throws(StoreError) -> Entry? {
        let name = Name(token: token, rendition: rendition)
        let known = entries.withLock { $0[name] }
        if let known, unit.map(known.plan.reaches) ?? true { return known }
        guard let source = try reader.source(of: token, rendition) else { return nil }
        let entry = Entry(
            plan: DecryptionPlan(source.playlist, keys: source.keys), container: source.row.container)
        remember(entry, name)
        return entry
    }

    /// The encrypted tracks of an initialization section.
    package func tracks(
        _ token: AssetToken, _ rendition: String, section: Int
    ) throws(StoreError) -> [Int: TrackEncryption] {
        try looked(token, rendition, section: section)?.tracks[section] ?? [:]
    }

    /// The tables of an initialization section of a transport stream.
    package func tables(
        _ token: AssetToken, _ rendition: String, section: Int
    ) throws(StoreError) -> TransportTables {
        try looked(token, rendition, section: section)?.tables[section] ?? TransportTables()
    }

    /// The facts of a rendition, with those of an initialization section. A section that was not read yet is read
    /// from its file.
    private func looked(
        _ token: AssetToken, _ rendition: String, section: Int
    ) throws(StoreError) -> Entry? {
        if let known = try entry(token, rendition), known.knows(section: section) { return known }
        let path = try reader.paths.file(
            of: UnitID(rendition: rendition, kind: .initialization, number: section), token,
            named: UnitFile.initialization(section))
        guard let bytes = try DurableWrite.read(path) else { throw StoreError(.notWhole(token)) }
        return try learn(bytes, of: token, rendition: rendition, section: section)
    }

    /// Keeps the encryption facts of an initialization section.
    @discardableResult
    package func learn(
        _ bytes: [UInt8], of token: AssetToken, rendition: String, section: Int
    ) throws(StoreError) -> Entry? {
        guard var entry = try entry(token, rendition) else { return nil }
        if entry.container == .ts {
            entry.tables[section] = TransportTables(section: bytes)
        } else {
            entry.tracks[section] = try TrackEncryption.tracks(ofInitialization: bytes)
        }
        remember(entry, Name(token: token, rendition: rendition))
        return entry
    }

    private func remember(_ entry: Entry, _ name: Name) {
        entries.withLock { entries in
            if entries.count >= Self.largestCount { entries = [:] }
            entries[name] = entry
        }
    }

    /// Notes a failure to decrypt. The result is true for the first failure of an asset.
    package func isFirstFailure(of token: AssetToken) -> Bool {
        failures.withLock { $0.insert(token).inserted }
    }

    package func forget(_ tokens: Set<AssetToken>) {
        failures.withLock { $0.subtract(tokens) }
        entries.withLock { entries in entries = entries.filter { !tokens.contains($0.key.token) } }
    }

    /// The names of content keys by the key IDs in stored initialization sections.
    package func identifiers(of token: AssetToken) -> [[UInt8]: String] {
        var found: [[UInt8]: String] = [:]
        let rows = (try? reader.catalog?.renditions.all(of: [token])[token]) ?? nil
        for row in rows ?? [] where row.initializations > 0 {
            for (section, id) in (try? entry(token, row.name))??.plan.sectionKeys ?? [:] {
                let tracks = (try? tracks(token, row.name, section: section)) ?? [:]
                for key in tracks.values.flatMap(\.keyIDs) { found[key] = id }
            }
        }
        return found
    }
}

extension StoreReader {
    /// The playlist that a rendition was made from, with its row and the keys of the asset.
    package func source(
        of token: AssetToken, _ rendition: String
    ) throws(StoreError) -> (playlist: MediaPlaylist, url: String, row: RenditionRecord, keys: ServedKeys)? {
        guard let catalog, let row = try catalog.renditions.rendition(token, rendition), row.failure == nil,
            row.hasPlaylist, let source = try catalog.renditions.mediaPlaylist(token, rendition)
        else { return nil }
        let keys = ServedKeys(try catalog.renditions.keys(of: token), base: URIReference(source.url))
        return (source.playlist, source.url, row, keys)
    }

    /// The numbers of a rendition's segments that are missing for good.
    package func gaps(of row: RenditionRecord) throws(StoreError) -> Set<Int> {
        Set(try catalog?.recordings.gapNumbers(ofRendition: row.id) ?? [])
    }
}
