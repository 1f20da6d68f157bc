internal import FoundationEssentials
internal import HLSPlaylist
internal import SystemPackage

/// Playlists for players that decrypt samples themselves.
extension AssetStore {
    /// A media playlist that names the keys of samples by their identifiers, for players that ask the ClearKey license
    /// URL for them (W3C Encrypted Media Extensions); `nil` when there is no such rendition. Blocks.
    public func clearKeyMediaPlaylist(_ token: AssetToken, _ rendition: String) throws(StoreError) -> [UInt8]?
    {
        guard let source = try reader.source(of: token, rendition) else { return nil }
        var keys = source.keys
        let known = Set(try clearKeyIdentifiers(of: token))
        for (section, tracks) in SampleKeys(paths: paths, token: token).sections(
            rendition, source.playlist)
        {
            guard let track = tracks.first(where: { $0.keyIDs.contains(where: known.contains) }),
                let identifier = track.keyIDs.first(where: known.contains)
            else { continue }
            keys.ofSections[section] = EncryptionKey(
                method: track.method, uri: "data:text/plain;base64,\(Data(identifier).base64EncodedString())",
                keyFormat: "org.w3.clearkey", keyFormatVersions: "1")
        }
        keys.prefersSections = true
        let interstitials = try reader.interstitials(of: token, base: source.url, query: "?keys=clearkey")
        return ServedMediaPlaylist(
            source.playlist, keys: keys, format: source.row.container,
            gaps: try reader.gaps(of: source.row), interstitials: interstitials
        ).bytes
    }

    /// The identifiers of all keys that are there.
    private func clearKeyIdentifiers(of token: AssetToken) throws(StoreError) -> [[UInt8]] {
        let stored = try catalog.keys(of: token).filter { $0.sealed != nil && $0.format == nil }
        let names = Set(stored.map(\.id))
        return stored.compactMap(\.identifier)
            + decryptionPlans.identifiers(of: token).filter { names.contains($0.value) }.map(\.key)
    }
}

/// How the samples of a rendition are encrypted, by its stored initialization sections.
struct SampleKeys {
    let paths: StorePaths
    let token: AssetToken

    /// Keys that the user gave, by the initialization section whose samples they open.
    func given(_ keys: [KeyRecord], _ rendition: String, _ playlist: MediaPlaylist) -> [Int: EncryptionKey] {
        let given = keys.filter { $0.identifier != nil && $0.sealed != nil }
        guard !given.isEmpty else { return [:] }
        return sections(rendition, playlist).compactMapValues { tracks in
            for track in tracks {
                guard let key = given.first(where: { $0.identifier.map(track.keyIDs.contains) == true })
                else { continue }
                return EncryptionKey(method: track.method, uri: "../keys/\(key.id).key")
            }
            return nil
        }
    }

    /// The encrypted tracks of each initialization section that is stored.
    func sections(_ rendition: String, _ playlist: MediaPlaylist) -> [Int: [TrackEncryption]] {
        var found: [Int: [TrackEncryption]] = [:]
        for number in playlist.initializationSections.indices {
            let name = ServedMediaPlaylist.initializationName(number)
            guard let bytes = try? DurableWrite.read(paths.rendition(token, rendition).appending(name)) else {
                continue
            }
            let tracks = (try? TrackEncryption.tracks(ofInitialization: bytes)) ?? [:]
            if !tracks.isEmpty { found[number] = tracks.sorted { $0.key < $1.key }.map(\.value) }
        }
        return found
    }
}

extension TrackEncryption {
    /// METHOD for its samples (RFC 8216bis, section 4.4.4.4).
    fileprivate var method: EncryptionKey.Method { scheme.isChained ? .sampleAES : .sampleAESCTR }
}
