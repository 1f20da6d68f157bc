internal import FoundationEssentials
internal import HLSPlaylist
internal import SystemPackage

extension AssetExporter {
    /// Writes the facts of an asset, and the session data that playlists name by address.
    ///
    /// - Returns: the number of files.
    func writeFacts(
        of asset: Asset, to folder: FilePath, withSource: Bool
    ) throws(StoreError) -> Int {
        var source = asset.sourceURL
        if withSource, let record = try catalog?.assets.asset(asset.token) { source = record.sourceURL }
        try ExportedFacts(name: asset.name, meta: asset.meta, sourceURL: source).write(to: folder)
        let numbers = try catalog?.sessionData.sessionDataNumbers(of: asset.token) ?? []
        guard !numbers.isEmpty else { return 1 }
        let data = folder.appending("session-data")
        try FileSystem.makeDirectory(data, mode: 0o755)
        for number in numbers {
            guard let item = try reader.sessionData(of: asset.token, number) else { continue }
            try DurableWrite.write(item.bytes, to: data.appending("\(number)"), mode: 0o644)
        }
        try FileSystem.syncDirectory(data)
        return 1 + numbers.count
    }
}
