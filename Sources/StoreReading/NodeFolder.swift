internal import Foundation
internal import SystemPackage

/// The folder of a node that shares its catalog with other machines. Everything in it can be fetched again: media
/// that were used lately, playlists, files that are arriving.
package struct NodeFolder {
    private let paths: StorePaths

    package init(_ paths: StorePaths) { self.paths = paths }

    private struct Note: Codable {
        /// The address of the catalog, without a password.
        package var catalog: String
        /// The last epoch in which this node owned the store.
        var epoch: Int64?
    }

    /// The address of the shared catalog, without a password; `nil` if the folder is a store of its own.
    package var catalog: String? {
        get throws(StoreError) { try note?.catalog }
    }

    private var note: Note? {
        get throws(StoreError) {
            guard let bytes = try DurableWrite.read(paths.node, limit: 1 << 16) else { return nil }
            // If the note can't be read, the epoch is unknown. Then `adopt` empties the folder.
            return (try? JSONDecoder().decode(Note.self, from: Data(bytes))) ?? Note(catalog: "a database")
        }
    }

    /// Makes the folder that of a node. The folder of a node that was started with another catalog before keeps that
    /// until `confirm`.
    ///
    /// - Throws: `storeFolder` when the folder holds a store of its own.
    package func begin(_ address: PostgresAddress) throws(StoreError) {
        try paths.makeFolders()
        let known = try note
        guard known != nil || (!paths.isMade && FileSystem.names(in: paths.assets).isEmpty) else {
            throw StoreError(.storeFolder(paths.root.string, errno: Errno.directoryNotEmpty.rawValue))
        }
        if known == nil { try write(Note(catalog: address.shown)) }
    }

    /// Notes the catalog, once the node may use it.
    package func confirm(_ address: PostgresAddress) throws(StoreError) {
        let known = try note
        if known?.catalog != address.shown {
            try write(Note(catalog: address.shown, epoch: known?.epoch))
        }
    }

    /// Notes that this node owns the store. If another node has owned it since, the folder's content is out of date:
    /// the other node may have replaced media.
    ///
    /// - Returns: whether the folder was emptied.
    @discardableResult
    package func adopt(_ owner: OwningNode) throws(StoreError) -> Bool {
        let known = try note
        let isCurrent = known?.epoch == owner.epoch - 1
        if !isCurrent, !FileSystem.names(in: paths.assets).isEmpty {
            // No row has this number, so the folder is deleted as an unknown one.
            try FileSystem.rename(
                paths.assets, to: paths.disposal.appending("\(Int64.max - owner.epoch)"))
        }
        try paths.makeFolders()
        try FileSystem.syncDirectory(paths.root)
        try write(Note(catalog: known?.catalog ?? "a database", epoch: owner.epoch))
        return !isCurrent
    }

    private func write(_ note: Note) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(note) else { return }
        try DurableWrite.write([UInt8](bytes) + [UInt8(ascii: "\n")], to: paths.node)
    }

    /// The address of the shared catalog for a process that was given none: from the environment, from the settings,
    /// or without a password from the folder itself; `nil` for a folder that is a store of its own.
    package func address() throws(StoreError) -> PostgresAddress? {
        guard let shown = try catalog else { return nil }
        let settings = try EngineSettings.read(paths.settings)
        let environment = ProcessInfo.processInfo.environment
        let named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        return PostgresAddress(named ?? settings.catalog ?? shown)
    }

    /// The variable with the address of the catalog.
    package static let variable = "OFFLINE_SERVER_CATALOG"
}
