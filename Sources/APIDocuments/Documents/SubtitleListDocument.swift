internal import Languages
internal import SidebandSubtitles
package import StoreReading

/// The subtitle tracks of an asset, for programs and for people.
package struct SubtitleListDocument {
    package let token: AssetToken
    package let tracks: [SubtitleRendition]
    /// The server's address, without a slash at the end.
    package let server: String

    package init(token: AssetToken, tracks: [SubtitleRendition], server: String) {
        (self.token, self.tracks, self.server) = (token, tracks, server)
    }

    package var json: JSONValue {
        ["token": .string(token.description), "subtitles": .array(tracks.map(document))]
    }

    private func document(_ track: SubtitleRendition) -> JSONValue {
        .object([
            ("id", .string(track.name)), ("language", JSONValue(track.language.map(LanguageTag.canonical))),
            ("name", JSONValue(Self.name(of: track))),
            ("native_name", JSONValue(track.language.flatMap(LanguageTag.nativeName))),
            ("title", JSONValue(track.title)), ("forced", .bool(track.isForced)), ("sdh", .bool(track.isSDH)),
            ("default", .bool(track.isDefault)), ("external", .bool(track.isExternal)),
            ("complete", .bool(track.isComplete)), ("urls", urls(track)),
        ])
    }

    /// The language's name in English, otherwise the stream's NAME.
    package static func name(of track: SubtitleRendition) -> String? {
        track.language.flatMap(LanguageTag.englishName) ?? track.title
    }

    private func urls(_ track: SubtitleRendition) -> JSONValue {
        let name = address(of: track)
        let whole = SubtitleFormat.allCases.filter { $0 != .text }.map { format in
            (format.rawValue, url(.subtitles(name, format)))
        }
        return .object(whole + [("playlist", url(.subtitlePlaylist(track.name)))])
    }

    private func url(_ resource: AssetResource) -> JSONValue {
        .string("\(server)/assets/\(token)/\(resource.relativePath)")
    }

    /// The word that names a track in an address: its language, unless that means another track.
    package func address(of track: SubtitleRendition) -> String { Self.word(for: track, among: tracks) }

    private static func word(for track: SubtitleRendition, among tracks: [SubtitleRendition]) -> String {
        guard let language = track.language.map(LanguageTag.canonical), LanguageTag.isTag(language),
            tracks.find(language) == track
        else {
            return track.name
        }
        return language
    }

    /// The sentence about a missing track, with the tracks that exist.
    package static func noTrack(_ wanted: String, among tracks: [SubtitleRendition]) -> String {
        var seen: Set<String> = []
        let offered = tracks.map { word(for: $0, among: tracks) }.filter { seen.insert($0).inserted }
        let list = offered.isEmpty ? "it has none" : "it has: \(offered.joined(separator: ", ").plainLine)"
        return "The asset has no subtitles in \(wanted.prefix(40)); \(list)."
    }
}
