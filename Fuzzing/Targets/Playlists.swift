internal import HLSPlaylist

extension FuzzTarget {
    static let playlists = [
        FuzzTarget("playlist", tokens: playlistTokens) { bytes throws(Finding) in
            guard let playlist = try? Playlist(parsing: bytes) else { return }
            try Finding.expect(playlist.serialized == bytes, "a playlist prints as it was")
            try Finding.expect(!PlaylistReport(playlist).json.isEmpty, "a playlist has a report")
            guard case .media(let media) = playlist else { return }
            let copy = try? Playlist(parsing: rewritten(media))
            guard case .media(let copy)? = copy else {
                throw Finding(description: "what is written is read again")
            }
            try Finding.expect(
                copy.segments.map(\.uri) == media.segments.map(\.uri), "what is written has the same segments"
            )
        },
        FuzzTarget("attribute-list", tokens: ["=", ",", "\"", "0x", "1920x1080", "-1.5", "YES"]) {
            bytes throws(Finding) in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let list = try? AttributeList(parsing: text) else { return }
            let again = try? AttributeList(parsing: list.verbatim)
            try Finding.expect(again == list, "an attribute list reads as it was printed")
        },
        FuzzTarget(
            "uri-reference", tokens: ["http://", "//", "/", "..", ".", "?", "#", "%2e", "\\", "data:,"]
        ) {
            bytes throws(Finding) in
            let text = String(decoding: bytes, as: UTF8.self)
            let resolved = URIReference(text).resolved(against: URIReference("https://host/a/b?c"))
            let again = URIReference(resolved.description)
            try Finding.expect(
                again.description == resolved.description, "a resolved reference reads as it was printed")
        },
    ]

    private static let playlistTokens = [
        "#EXTM3U\n", "#EXTINF:", "#EXT-X-KEY:METHOD=AES-128,URI=\"", "#EXT-X-BYTERANGE:", "#EXT-X-MAP:URI=\"",
        "@", "0x",
        "#EXT-X-DISCONTINUITY\n", "#EXT-X-DEFINE:NAME=\"", "{$a}", "#EXT-X-STREAM-INF:BANDWIDTH=",
        "#EXT-X-MEDIA:TYPE=",
        "#EXT-X-TARGETDURATION:", "#EXT-X-MEDIA-SEQUENCE:", "18446744073709551615", "-1", "1e308", "\r\n",
        "\u{FEFF}",
    ]

    private static func rewritten(_ source: MediaPlaylist) -> [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        for segment in source.segments {
            let section = segment.initializationSection.map { source.initializationSections[$0] }
            writer.append(SegmentEntry(segment, uri: segment.uri, initializationSection: section))
        }
        return writer.bytes
    }
}
