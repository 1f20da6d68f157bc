internal import FoundationEssentials
package import HLSPlaylist
internal import SystemPackage

/// How the samples of a rendition are encrypted, by its stored initialization sections.
package struct SampleKeys {
    package let paths: StorePaths
    package let token: AssetToken

    package init(paths: StorePaths, token: AssetToken) {
        self.paths = paths
        self.token = token
    }

    /// The keys of a rendition as players get them.
    ///
    /// - Parameters:
    ///   - keys: all of the asset's.
    ///   - base: the address of the playlist that names them.
    ///   - view: whether they are named at all, and how.
    package func served(
        _ keys: [KeyRecord], rendition: String, _ playlist: MediaPlaylist, base: String,
        view: LiveView = LiveView()
    ) -> ServedKeys {
        guard !view.isClear else { return .none }
        var served = ServedKeys(keys, base: URIReference(base))
        served.prefersSections = view.isForClearKey
        served.ofSections =
            view.isForClearKey
            ? named(view.identifiers, rendition, playlist: playlist)
            : given(keys, rendition, playlist: playlist)
        return served
    }

    /// The keys by their IDs in the media, by the initialization section whose samples they open.
    private func named(
        _ known: Set<[UInt8]>, _ rendition: String, playlist: MediaPlaylist
    ) -> [Int: EncryptionKey] {
        sections(rendition, playlist).compactMapValues { tracks in
            guard let track = tracks.first(where: { $0.keyIDs.contains(where: known.contains) }),
                let identifier = track.keyIDs.first(where: known.contains)
            else { return nil }
            return EncryptionKey(
                method: track.method, uri: "data:text/plain;base64,\(Data(identifier).base64EncodedString())",
                keyFormat: "org.w3.clearkey", keyFormatVersions: "1")
        }
    }

    /// Keys that the user gave, by the initialization section whose samples they open.
    private func given(
        _ keys: [KeyRecord], _ rendition: String, playlist: MediaPlaylist
    ) -> [Int: EncryptionKey] {
        let given = keys.filter { $0.isOfIdentifier && $0.sealed != nil }
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

    /// Whether a rendition has encrypted samples, by its stored initialization sections.
    package func isEncrypted(_ rendition: String, _ playlist: MediaPlaylist) -> Bool {
        !sections(rendition, playlist).isEmpty
    }

    /// The key identifiers (KIDs) in all initialization sections of the stored asset.
    package var identifiers: Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        let folder = paths.asset(token)
        for rendition in (try? FileSystem.contents(of: folder)) ?? [] {
            let names = (try? FileSystem.contents(of: folder.appending(rendition))) ?? []
            for name in names where name.hasPrefix("init-") && name.hasSuffix(".mp4") {
                for track in tracks(folder.appending(rendition).appending(name)) {
                    found.formUnion(track.keyIDs)
                }
            }
        }
        // Zeros say that each fragment names its own.
        return found.filter { $0.contains { $0 != 0 } }
    }

    /// The encrypted tracks of each stored initialization section.
    private func sections(_ rendition: String, _ playlist: MediaPlaylist) -> [Int: [TrackEncryption]] {
        var found: [Int: [TrackEncryption]] = [:]
        for number in playlist.initializationSections.indices {
            let name = UnitFile.initialization(number)
            let unit = UnitID(rendition: rendition, kind: .initialization, number: number)
            guard let path = try? paths.file(of: unit, token, named: name) else { continue }
            let tracks = tracks(path)
            if !tracks.isEmpty { found[number] = tracks }
        }
        return found
    }

    /// The encrypted tracks of an initialization section; empty if it is missing or can't be read.
    private func tracks(_ section: FilePath) -> [TrackEncryption] {
        guard let bytes = try? DurableWrite.read(section) else { return [] }
        let tracks = (try? TrackEncryption.tracks(ofInitialization: bytes)) ?? [:]
        return tracks.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension TrackEncryption {
    /// METHOD for its samples (RFC 8216bis, section 4.4.4.4).
    fileprivate var method: EncryptionKey.Method { scheme.isChained ? .sampleAES : .sampleAESCTR }
}
