package import HLSPlaylist
internal import Languages

/// The multivariant playlist that players get, made from the catalog: the renditions that are stored or on
/// their way, and no others.
package struct ServedMultivariantPlaylist {
    /// The renditions that a player should choose by default.
    package struct Preferences: Hashable, Sendable {
        package var audio: String?
        package var subtitles: String?
        /// Whether only stored renditions are listed.
        package var isAvailableOnly = false

        package init(audio: String? = nil, subtitles: String? = nil, isAvailableOnly: Bool = false) {
            self.audio = audio
            self.subtitles = subtitles
            self.isAvailableOnly = isAvailableOnly
        }
    }

    private let renditions: [RenditionRecord]
    private let preferences: Preferences
    /// The names of the subtitle renditions that players get as WebVTT made for them.
    private let generated: Set<String>
    private let query: String
    /// The start of playback; `nil` keeps the source's.
    private let start: StartPoint?
    /// Whether the start of the source is also valid for the served presentation.
    package var keepsStart = true
    /// Whether the presentation begins later than the stream. Chapters in a VALUE have other times then.
    package var beginsLater = false
    /// The keys of all listed renditions, for a multivariant playlist without its own.
    package var sessionKeys: [EncryptionKey] = []
    /// The stored session data, by its position in the source.
    package var storedData: Set<Int> = []
    package static let fileName = "master.m3u8"

    /// - Parameters:
    ///   - query: the query behind the name of each playlist.
    ///   - start: the start of playback; `nil` keeps the source's.
    package init(
        _ renditions: [RenditionRecord], preferences: Preferences = Preferences(),
        generatedSubtitles: Set<String> = [], query: String = "", start: StartPoint? = nil
    ) {
        self.start = start
        generated = generatedSubtitles
        let mark = query.isEmpty ? "?" : "\(query)&"
        self.query = preferences.isAvailableOnly ? "\(mark)available=1" : query
        self.renditions = ServedSubtitles.grouped(
            renditions.filter { row in
                let isThere =
                    !row.hasPlaylist || row.storedSegments > 0 || generatedSubtitles.contains(row.name)
                return row.failure == nil && (!preferences.isAvailableOnly || isThere)
            })
        self.preferences = preferences
    }

    /// - Parameters:
    ///   - source: the origin's playlist, when it had one.
    ///   - keys: for the session's keys.
    ///   - title: the name of the asset.
    ///   - poster: where its poster is served.
    package func bytes(source: MultivariantPlaylist?, keys: ServedKeys, title: String, poster: String?)
        -> [UInt8]
    {
        var writer = MultivariantPlaylistWriter()
        writer.independentSegments = source?.independentSegments ?? false
        let own = keepsStart && !preferences.isAvailableOnly ? source?.start : nil
        writer.start = start ?? own
        writer.sessionData = sessionData(source, title: title, poster: poster)
        writer.sessionKeys = (source?.sessionKeys ?? []).flatMap { keys.served([$0], folder: "keys") }
        if writer.sessionKeys.isEmpty { writer.sessionKeys = sessionKeys }
        writer.renditions = media()
        let groups = Set(writer.renditions.map { Group(type: $0.type, id: $0.groupID) })
        writer.variants = listings(.variant).map { row, list in
            let list = generated.isEmpty ? list : ServedSubtitles.withoutTextCodecs(list)
            return VariantStream(uri: uri(row), attributes: Self.trimmed(list.removing("URI"), groups))
        }
        writer.iFrameStreams = listings(.iframe).map { row, list in
            IFrameStream(
                uri: uri(row),
                attributes: Self.trimmed(list, groups).setting("URI", quoted: uri(row)))
        }
        writer.imageStreams = listings(.images).map { row, list in
            ImageStream(uri: uri(row), attributes: Self.trimmed(list, groups))
        }
        return writer.bytes
    }

    private struct Group: Hashable {
        var type: RenditionType
        var id: String
    }

    private func uri(_ row: RenditionRecord) -> String {
        "\(row.name)/\(ServedMediaPlaylist.fileName)\(query)"
    }

    private func listings(_ kind: RenditionKind) -> [(RenditionRecord, AttributeList)] {
        renditions.filter { $0.kind == kind }.flatMap { row in
            row.listings.compactMap { text in (try? AttributeList(parsing: text)).map { (row, $0) } }
        }
    }

    /// Drops the references to groups that are not there, and the pathway: there is only ours.
    private static func trimmed(_ list: AttributeList, _ groups: Set<Group>) -> AttributeList {
        var list = list.removing("PATHWAY-ID")
        for (name, type) in groupAttributes {
            guard let id = list[name], !(name == "CLOSED-CAPTIONS" && id == "NONE") else { continue }
            if !groups.contains(Group(type: type, id: id)) { list = list.removing(name) }
        }
        return list
    }

    private static let groupAttributes: [(String, RenditionType)] = [
        ("AUDIO", .audio), ("VIDEO", .video), ("SUBTITLES", .subtitles), ("CLOSED-CAPTIONS", .closedCaptions),
    ]

    private func media() -> [Rendition] {
        let kinds: [(RenditionKind, RenditionType, String?)] = [
            (.audio, .audio, preferences.audio), (.video, .video, nil),
            (.subtitles, .subtitles, preferences.subtitles),
            (.closedCaptions, .closedCaptions, nil),
        ]
        return kinds.flatMap { kind, type, preferred in
            let made = listings(kind).map { row, list in
                let folder = generated.contains(row.name) ? "\(ServedSubtitles.folder)/" : ""
                let uri = row.hasPlaylist ? folder + uri(row) : nil
                let own = uri.map { list.setting("URI", quoted: $0) } ?? list.removing("URI")
                return Rendition(type: type, uri: uri, attributes: own)
            }
            return Self.withDefault(made, preferred: preferred, isNeeded: type == .audio)
        }
    }

    /// Sees to it that the preferred language is the default, and that a group whose default was not taken
    /// has one all the same.
    private static func withDefault(_ renditions: [Rendition], preferred: String?, isNeeded: Bool)
        -> [Rendition]
    {
        var renditions = renditions
        for group in Set(renditions.map(\.groupID)) {
            let members = renditions.indices.filter { renditions[$0].groupID == group }
            let matching = preferred.flatMap { Self.member($0, of: members, in: renditions) }
            let hasDefault = members.contains { renditions[$0].isDefault }
            let usual = members.first(where: { renditions[$0].autoselect }) ?? members.first
            guard let chosen = matching ?? (isNeeded && !hasDefault ? usual : nil) else { continue }
            for index in members { renditions[index].setDefault(index == chosen) }
        }
        return renditions
    }

    /// The member of a group for a preferred language; among several, a full one.
    private static func member(
        _ language: String, of members: [Int], in renditions: [Rendition]
    ) -> Int? {
        let matches = LanguageRange.matches(language, in: members.map { renditions[$0].language })
            .map { members[$0] }
        let usual = matches.filter { renditions[$0].isForEverybody }
        return usual.first { renditions[$0].isDefault } ?? usual.first { !renditions[$0].isSDH }
            ?? usual.first ?? matches.first
    }

    private func sessionData(_ source: MultivariantPlaylist?, title: String, poster: String?) -> [SessionData]
    {
        var data = (source?.sessionData ?? []).enumerated().compactMap { number, item -> SessionData? in
            guard ![Self.titleID, Self.posterID].contains(item.dataID) else { return nil }
            if let value = item.value {
                guard item.dataID != Self.chaptersID || !beginsLater else { return nil }
                let own = SessionData(attributes: item.attributes.removing("URI"))
                return value.contains("://") ? nil : own
            }
            guard storedData.contains(number) else { return nil }
            return SessionData(attributes: item.attributes.setting("URI", quoted: Self.dataName(number)))
        }
        data.insert(Self.data(Self.titleID, title), at: 0)
        if let poster { data.insert(Self.data(Self.posterID, poster), at: 1) }
        return data
    }

    /// DATA-ID of the title of a presentation.
    package static let titleID = "com.apple.hls.title"
    /// DATA-ID of the list of chapters.
    package static let chaptersID = "com.apple.hls.chapters"
    /// DATA-ID of the picture for a presentation.
    package static let posterID = "com.apple.hls.poster"

    /// Below an asset's URL: where session data is served.
    private static func dataName(_ number: Int) -> String { "session-data/\(number)" }

    /// A quoted string can hold neither quotes nor line breaks (RFC 8216bis, section 4.2).
    private static func data(_ id: String, _ value: String) -> SessionData {
        let value = String(value.map { $0 == "\"" ? "'" : $0.isNewline ? " " : $0 })
        return SessionData(
            attributes: AttributeList().setting("DATA-ID", quoted: id).setting("VALUE", quoted: value))
    }
}

extension Rendition {
    /// Whether it has all speech and nothing more: it is neither forced subtitles nor an audio description.
    fileprivate var isForEverybody: Bool {
        !forced && !characteristics.contains("public.accessibility.describes-video")
    }

    /// Whether these are subtitles for the deaf and hard of hearing.
    fileprivate var isSDH: Bool {
        type == .subtitles
            && characteristics.contains {
                $0.contains("describes-music-and-sound") || $0.contains("transcribes-spoken-dialog")
            }
    }

    fileprivate mutating func setDefault(_ isDefault: Bool) {
        attributes = attributes.setting("DEFAULT", plain: isDefault ? "YES" : "NO")
        if isDefault { attributes = attributes.setting("AUTOSELECT", plain: "YES") }
    }
}
