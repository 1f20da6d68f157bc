import HLSPlaylist

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Playlists as origins write them.
enum Playlists {
    /// A VOD media playlist.
    static func media(_ uris: [String], seconds: Int = 4, tags: String = "", end: Bool = true) -> String {
        let segments = uris.map { "#EXTINF:\(seconds),\n\($0)\n" }.joined()
        return "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(seconds)\n\(tags)"
            + segments + (end ? "#EXT-X-ENDLIST\n" : "")
    }

    /// A multivariant playlist of these lines.
    static func master(_ lines: String...) -> String { "#EXTM3U\n" + lines.joined(separator: "\n") + "\n" }

    /// A variant stream.
    static func variant(_ uri: String, _ bandwidth: Int, _ more: String = "") -> String {
        "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)\(more.isEmpty ? "" : "," + more)\n\(uri)"
    }

    /// A rendition; `LANGUAGE` and `NAME` are the language's.
    static func rendition(
        _ type: String, _ group: String, _ language: String, _ uri: String?, _ more: String = ""
    ) -> String {
        let address = uri.map { ",URI=\"\($0)\"" } ?? ""
        let rest = more.isEmpty ? "" : "," + more
        return
            "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(group)\",LANGUAGE=\"\(language)\",NAME=\"\(language)\"\(address)\(rest)"
    }

    /// Reads a media playlist.
    static func parsedMedia(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            throw StoreError(.stopped)
        }
        return playlist
    }

    /// Reads a multivariant playlist.
    static func parsedMaster(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            throw StoreError(.stopped)
        }
        return playlist
    }

    /// The streams that a selection takes of a multivariant playlist, by their URIs.
    static func chosen(_ text: String, _ change: (inout Selection) -> Void = { _ in }) throws
        -> [SelectedStream]
    {
        var selection = Selection()
        change(&selection)
        return try StreamSelector.select(from: parsedMaster(text), selection)
    }
}
