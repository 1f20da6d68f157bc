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
            try checkAttributes(String(decoding: bytes, as: UTF8.self))
        },
        FuzzTarget(
            "uri-reference", tokens: ["http://", "//", "/", "..", ".", "?", "#", "%2e", "\\", "data:,"]
        ) {
            bytes throws(Finding) in
            try checkReference(String(decoding: bytes, as: UTF8.self))
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

    /// Checks that nothing gets lost but blanks, and commas with nothing between them.
    private static func checkAttributes(_ text: String) throws(Finding) {
        guard let list = try? AttributeList(parsing: text) else { return }
        let printed = list.verbatim
        let again = try? AttributeList(parsing: printed)
        try Finding.expect(again == list, "an attribute list reads as it was printed")
        try Finding.expect(
            printed.utf8.filter(isContent).elementsEqual(text.utf8.filter(isContent)),
            "an attribute list is printed with all that it says")
        let isTight =
            !text.utf8.contains(where: isBlank)
            && text.utf8.split(separator: comma, omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        try Finding.expect(
            !isTight || printed.utf8.elementsEqual(text.utf8), "an attribute list is printed as it was read")
    }

    private static let comma = UInt8(ascii: ",")
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static func isContent(_ byte: UInt8) -> Bool { !isBlank(byte) && byte != comma }

    private static func checkReference(_ text: String) throws(Finding) {
        let reference = URIReference(text)
        try Finding.expect(
            URIReference(reference.description) == reference, "a reference reads as it was printed")
        try Finding.expect(
            !text.utf8.allSatisfy(isPlain) || reference.description == text,
            "a reference without anything to encode is printed as it was read")
        let resolved = reference.resolved(against: URIReference("https://host/a/b?c"))
        try Finding.expect(
            URIReference(resolved.description).description == resolved.description,
            "a resolved reference reads as it was printed")
    }

    /// Whether a byte may stand unchanged in any part of a URI: capital letters of a scheme are lowercased.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21..<0x7F).contains(byte) && !(0x41..<0x5B).contains(byte)
            && !"\"<>\\^`{|}".utf8.contains(byte)
    }
}
