internal import SystemPackage

/// The message about a store whose folders of assets are there, and whose catalog is not.
package enum LostCatalog {
    /// The assets that have a folder although the catalog is missing or empty; none in a new store.
    package static func folders(_ paths: StorePaths) -> [AssetToken] {
        guard FileSystem.isAbsent(paths.catalog) || FileSystem.facts(paths.catalog)?.size == 0 else {
            return []
        }
        return FileSystem.names(in: paths.assets).sorted().compactMap { name in
            AssetToken(name).flatMap { $0.description == name ? $0 : nil }
        }
    }

    /// The event, in a sentence.
    package static func occurrence(_ count: Int, _ paths: StorePaths) -> String {
        "\(paths.catalog) is missing or empty, but \(paths.assets) has folders of assets (\(count))"
    }

    /// The advice.
    package static var advice: String {
        "stop the server and restore catalog.db from a backup; without a backup, \(Remedy.importFolder) copies media that are not encrypted (FOLDER/RENDITION/media.m3u8) into another store"
    }
}
