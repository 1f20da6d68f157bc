internal import AssetStore
internal import FoundationEssentials
internal import HLSPlaylist
internal import MediaContainers

/// The chapters of an asset, as its session data lists them (`com.apple.hls.chapters`).
struct AssetChapters {
    let store: OfflineStore
    let token: AssetToken

    private struct Entry: Decodable {
        struct Title: Decodable {
            var title: String?
        }

        var startTime: Double?
        var titles: [Title]?

        enum CodingKeys: String, CodingKey {
            case startTime = "start-time"
            case titles
        }
    }

    /// The chapters in order; empty without any, or if they can't be read.
    var list: [MovieInformation.Chapter] {
        guard let data = document, let entries = try? JSONDecoder().decode([Entry].self, from: Data(data))
        else {
            return []
        }
        let chapters = entries.enumerated().compactMap { index, entry -> MovieInformation.Chapter? in
            guard let start = entry.startTime, start.isFinite, start >= 0 else { return nil }
            return .init(start: start, title: entry.titles?.first?.title ?? "\(index + 1)")
        }
        return chapters.prefix(1000).sorted { $0.start < $1.start }
    }

    private var document: [UInt8]? {
        guard let source = try? store.catalog.renditions.sourcePlaylist(token, ""),
            case .multivariant(let playlist)? = try? Playlist(
                parsing: source.body, context: VariableContext(playlistURL: source.url)),
            let number = playlist.sessionData.firstIndex(where: { $0.dataID == Self.dataID })
        else { return nil }
        return try? store.reader.sessionData(of: token, number)?.bytes
    }

    private static let dataID = "com.apple.hls.chapters"
}
