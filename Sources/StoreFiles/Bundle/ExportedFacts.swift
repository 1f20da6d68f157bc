internal import FoundationEssentials
internal import HLSPlaylist
package import SystemPackage

/// The facts of an exported asset that playlists can't hold: the file `asset.json`.
package struct ExportedFacts: Codable, Sendable, Equatable {
    package static let fileName = "asset.json"
    private static let limit = 1 << 20

    package var name: String
    /// The user's own data.
    package var meta: [String: String]
    /// The stream's address, without user information and query unless these were requested.
    package var sourceURL: String

    package init(name: String, meta: [String: String], sourceURL: String) {
        self.name = name
        self.meta = meta
        self.sourceURL = sourceURL
    }

    package enum CodingKeys: String, CodingKey {
        case name, meta
        case sourceURL = "source_url"
    }

    /// Reads the facts in a folder; `nil` if there is no such file, or if another program made it.
    package static func read(in folder: FilePath) -> ExportedFacts? {
        guard let bytes = (try? DurableWrite.read(folder.appending(fileName), limit: limit)) ?? nil else {
            return nil
        }
        return try? JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    package func write(to folder: FilePath) throws(StoreError) {
        guard let json = try? JSONText.plain(self, hasLines: true) else { return }
        try DurableWrite.write(Array(json.utf8), to: folder.appending(Self.fileName), mode: 0o644)
    }
}
