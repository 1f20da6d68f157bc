internal import HLSPlaylist

extension FuzzTarget {
    static let playlists = [
        FuzzTarget("playlist", tokens: playlistTokens) { bytes throws(Finding) in
            guard let playlist = try? Playlist(parsing: bytes) else { return }
            try Finding.expect(!PlaylistReport(playlist).json.isEmpty, "a playlist has a report")
            switch playlist {
            case .media(let media): try PlaylistCopy.check(media)
            case .multivariant(let multivariant): try PlaylistCopy.check(multivariant)
            }
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
}
