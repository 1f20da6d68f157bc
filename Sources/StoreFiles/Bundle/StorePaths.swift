package import SystemPackage

/// The source of media that are stored elsewhere; the store's folder has only those that were used lately.
package protocol MediaSource: Sendable {
    /// Brings the file of a stored unit into the store's folder; blocks until it is there. It does nothing for a unit
    /// that is stored nowhere else.
    ///
    /// - Parameter name: the file's name.
    func bring(_ key: UnitKey, named name: String) throws(StoreError)

    /// Makes an asset's folder with its playlists and kept files, if it is missing. Without other nodes, the folder
    /// always exists.
    func restore(_ token: AssetToken) throws(StoreError)

    /// Keeps a file of an asset's folder that exists only once, or deletes the kept copy, for other machines that
    /// work on the store later.
    ///
    /// - Parameter path: its path in that folder.
    func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) throws(StoreError)
}

/// The paths of a store. All names are made from tokens and numbers, never from URLs or titles. The catalog keeps
/// none of them absolute, so that a store can be moved.
package struct StorePaths: Sendable {
    /// The store's own folder.
    package let root: FilePath
    /// The media that lie elsewhere; `nil` when all are in the folder.
    package var media: (any MediaSource)?
    /// Whether the folder belongs to a node of a shared store: its files are fetched when they are needed.
    package var isOfNode = false

    /// Paths below `root`.
    package init(root: FilePath) { self.root = root }

    package var catalog: FilePath { root.appending("catalog.db") }
    /// Whether a store exists here.
    package var isMade: Bool { !FileSystem.isAbsent(catalog) }
    /// Whether the folder is a store, or is empty and may become one.
    package var mayBeStore: Bool {
        guard !isMade else { return true }
        guard FileSystem.isDirectory(root) else { return false }
        let names = FileSystem.names(in: root)
        let own = [settings, storeKey, apiToken, assets, lock].compactMap(\.lastComponent?.string)
        return names.isEmpty || !Set(names).isDisjoint(with: own)
    }
    package var lock: FilePath { root.appending("engine.lock") }
    /// An empty file that room on the file system is kept by.
    package var spareRoom: FilePath { root.appending("spare-room") }
    package var storeKey: FilePath { root.appending("store.key") }
    /// The file that holds the bearer token of the API, mode 0600.
    package var apiToken: FilePath { root.appending("api-token") }
    /// Whether the store has a key file of its own.
    package var hasKey: Bool { FileSystem.facts(storeKey) != nil }
    package var settings: FilePath { root.appending("config.json") }
    /// The file that says whose folder this is, where the catalog is one that several machines share.
    package var node: FilePath { root.appending("node.json") }
    /// Application certificates of key providers.
    package var certificates: FilePath { root.appending("certificates") }
    package var assets: FilePath { root.appending("assets") }
    /// The folder of the folders that are being deleted.
    package var disposal: FilePath { root.appending("removed") }

    /// The folder of an asset: plain HLS.
    package func asset(_ token: AssetToken) -> FilePath { assets.appending(token.description) }

    /// The folder of an asset, as seen from the store's own.
    package static func relativeAssetPath(_ token: AssetToken) -> String { "assets/\(token)" }

    /// Makes the folders that an engine needs.
    ///
    /// - Throws: `storeFolder` when that can't be done here.
    package func makeFolders() throws(StoreError) {
        do throws(StoreError) {
            try FileSystem.makeDirectory(assets)
            // The folder is made early: on a full file system this might fail.
            try? FileSystem.makeDirectory(disposal)
        } catch {
            guard case .file(_, let path, let errno) = error.code else { throw error }
            throw StoreError(.storeFolder(path, errno: errno))
        }
    }

    /// The folder of a rendition.
    package func rendition(_ token: AssetToken, _ name: String) -> FilePath { asset(token).appending(name) }

    /// The path of a stored unit's file, which is there then if the unit is anywhere. Blocks.
    package func file(
        of unit: UnitID, _ token: AssetToken, named name: String
    ) throws(StoreError) -> FilePath {
        try media?.bring(UnitKey(token: token, unit: unit), named: name)
        return rendition(token, unit.rendition).appending(name)
    }
}
