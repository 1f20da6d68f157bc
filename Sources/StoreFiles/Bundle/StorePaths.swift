package import SystemPackage

/// The source of media that are stored outside of the store's folder. The folder has only media that were used
/// lately.
package protocol MediaSource: Sendable {
    /// Copies the file of a stored unit into the store's folder, and blocks until that is done. It does nothing for a
    /// unit that is stored nowhere else.
    ///
    /// - Parameter name: the file's name.
    func bring(_ key: UnitKey, named name: String) throws(StoreError)

    /// Makes an asset's folder with its playlists and kept files, if it is missing. In a store that is not shared,
    /// the folder always exists.
    func restore(_ token: AssetToken) throws(StoreError)

    /// Stores a copy of a file that exists only in this asset's folder, for machines that work on the store later;
    /// `nil` deletes the copy.
    ///
    /// - Parameter path: its path in that folder.
    func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) throws(StoreError)
}

/// The paths of a store. All names are made from tokens and numbers, never from URLs or titles. The catalog keeps
/// none of them absolute, so that a store can be moved.
package struct StorePaths: Sendable {
    /// The store's own folder.
    package let root: FilePath
    package let assets: FilePath
    /// The media that lie elsewhere; `nil` when all are in the folder.
    package var media: (any MediaSource)?
    /// Whether the folder belongs to a node of a shared store: its files are fetched when they are needed.
    package var isOfNode = false

    /// Paths below `root`.
    package init(root: FilePath) {
        self.root = root
        assets = root.appending("assets")
    }

    package var catalog: FilePath { root.appending("catalog.db") }
    /// Whether a store exists here.
    package var isMade: Bool { !FileSystem.isAbsent(catalog) }
    /// Whether the folder is a store or may become one: it is empty, or has files such as settings or a store key.
    package var mayBeStore: Bool {
        guard !isMade else { return true }
        guard FileSystem.isDirectory(root) else { return false }
        let names = FileSystem.names(in: root)
        let own = [settings, storeKey, apiToken, assets, lock].map(\.name)
        return names.isEmpty || !Set(names).isDisjoint(with: own)
    }
    package var lock: FilePath { root.appending("engine.lock") }
    /// A file without content that reserves space on the file system.
    package var spareRoom: FilePath { root.appending("spare-room") }
    package var storeKey: FilePath { root.appending("store.key") }
    /// The file that holds the bearer token of the API, mode 0600.
    package var apiToken: FilePath { root.appending("api-token") }
    /// Whether the store has a key file of its own.
    package var hasKey: Bool { FileSystem.facts(storeKey) != nil }
    package var settings: FilePath { root.appending("config.json") }
    /// The file that marks the folder as that of a node, with the address of the shared catalog.
    package var node: FilePath { root.appending("node.json") }
    /// The folder of segments that a node on standby has got from the active node.
    package var forwarded: FilePath { root.appending("forwarded") }
    /// The file that says that the store is being moved, or was moved.
    package var migration: FilePath { root.appending("migration.json") }
    /// Application certificates of key providers.
    package var certificates: FilePath { root.appending("certificates") }
    /// The folder of the folders that are being deleted.
    package var disposal: FilePath { root.appending("removed") }

    /// The folder of an asset: plain HLS.
    package func asset(_ token: AssetToken) -> FilePath { FilePath("\(assets.string)/\(token)") }

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
    package func rendition(_ token: AssetToken, _ name: String) -> FilePath {
        FilePath("\(assets.string)/\(token)/\(name)")
    }

    /// The path of a stored unit's file. If the file is missing and the unit is stored elsewhere, it is copied into
    /// the folder first. Blocks.
    package func file(
        of unit: UnitID, _ token: AssetToken, named name: String
    ) throws(StoreError) -> FilePath {
        try media?.bring(UnitKey(token: token, unit: unit), named: name)
        return rendition(token, unit.rendition).appending(name)
    }
}
