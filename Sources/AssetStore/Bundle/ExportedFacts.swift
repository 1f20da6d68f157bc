internal import FoundationEssentials
internal import HLSPlaylist
internal import SystemPackage

/// What an exported folder tells of its asset beside what playlists can say: the file `asset.json`.
struct ExportedFacts: Codable, Sendable, Equatable {
    static let fileName = "asset.json"
    private static let limit = 1 << 20

    var name: String
    /// The user's own data.
    var meta: [String: String]
    /// Where it came from, without user information and query unless these were asked for.
    var sourceURL: String

    enum CodingKeys: String, CodingKey {
        case name, meta
        case sourceURL = "source_url"
    }

    /// Reads what is in a folder; `nil` when there is no such file, or it is none of ours.
    static func read(in folder: FilePath) -> ExportedFacts? {
        guard let bytes = (try? DurableWrite.read(folder.appending(fileName), limit: limit)) ?? nil else {
            return nil
        }
        return try? JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    func write(to folder: FilePath) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else { return }
        try DurableWrite.write([UInt8](json), to: folder.appending(Self.fileName), mode: 0o644)
    }
}

extension StoreReader {
    /// Writes what an asset has beside its media: its facts, and the session data that playlists name by address.
    ///
    /// - Returns: how many files.
    func writeFacts(
        of asset: Asset, to folder: FilePath, withSource: Bool
    ) throws(StoreError) -> Int {
        var source = asset.sourceURL
        if withSource, let record = try catalog?.asset(asset.token) { source = record.sourceURL }
        try ExportedFacts(name: asset.name, meta: asset.meta, sourceURL: source).write(to: folder)
        let numbers = try catalog?.sessionDataNumbers(of: asset.token) ?? []
        guard !numbers.isEmpty else { return 1 }
        let data = folder.appending("session-data")
        try FileSystem.makeDirectory(data, mode: 0o755)
        for number in numbers {
            guard let item = try sessionData(of: asset.token, number) else { continue }
            try DurableWrite.write(item.bytes, to: data.appending("\(number)"), mode: 0o644)
        }
        try FileSystem.syncDirectory(data)
        return 1 + numbers.count
    }
}
