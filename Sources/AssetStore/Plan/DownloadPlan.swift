internal import HLSPlaylist

/// Everything an asset consists of, before a byte of media is fetched. Made by pure functions.
struct DownloadPlan: Sendable {
    var renditions: [PlannedRendition]
    var sources: [SourcePlaylist]
    /// Content keys to be had, in order of first use.
    var keys: [KeySource]
    /// Seconds.
    var duration: Double
    /// Where it begins in the stream, in seconds, when it is a part of that.
    var partStart: Double?
    /// What the stream has to say beside its media.
    var sessionData: [SessionDataRecord] = []
    /// Where redirects have led from the stream's address.
    var redirects: [String] = []
    /// How it goes on, when it is to be recorded.
    var recording: PlannedRecording?
    /// What is stored of its interstitials, and the assets that were made for that.
    var interstitials: [InterstitialRecord] = []
    var interstitialAssets: [AssetToken] = []
    /// What was asked for and is not in the stream.
    var leftOut: [LeftOut] = []
    /// Subtitle files that the user gave, as renditions beside those of the stream.
    var subtitles: [AddedSubtitles] = []
    /// What was chosen and could not be read.
    var lost: [LostStream] = []

    /// Renditions carried in another one are listed, but have nothing to fetch.
    ///
    /// - Parameter taken: names that the asset's renditions have already.
    init(_ streams: [ResolvedStream], sources: [SourcePlaylist], taken: [String] = []) {
        var names = RenditionNames(taken: taken)
        renditions = streams.map { PlannedRendition($0, name: names.name(for: $0.selected)) }
        keys = KeySource.each(of: streams.flatMap(\.keys))
        let hidden = KeySource.each(of: streams.flatMap(\.namedKeys))
        let main = streams.first { $0.selected.kind == .variant }
        duration = main?.playlist?.duration ?? streams.compactMap(\.playlist?.duration).max() ?? 0
        let named = zip(streams, renditions.map(\.name)).compactMap { stream, name in
            stream.playlist.map { SourcePlaylist(rendition: name, url: stream.url, body: $0.serialized) }
        }
        self.sources = (sources + named).map { $0.hiding(hidden) }
    }
}

extension DownloadPlan {
    /// Takes subtitle files along.
    mutating func join(_ files: [ReadSubtitles], _ selection: Selection) {
        guard !files.isEmpty else { return }
        let rows = renditions.enumerated().map { $1.record(at: $0) }
        subtitles = AddedSubtitles.all(files, beside: rows, of: duration, selection)
    }

    /// The keys that gaps alone name (EXT-X-GAP), in order of first use.
    var keysOfGaps: [KeySource] {
        let needed = Set(keys.map(\.address))
        return KeySource.each(of: renditions.flatMap(\.stream.namedKeys)).filter {
            !needed.contains($0.address)
        }
    }

    /// The places that its interstitials name.
    var interstitialPlaces: [InterstitialPlace] {
        var seen: Set<InterstitialPlace> = []
        return renditions.flatMap { planned in
            InterstitialPlace.all(
                in: planned.stream.playlist?.dateRanges.map(\.attributes) ?? [],
                base: URIReference(planned.stream.url))
        }.filter { seen.insert($0).inserted }
    }

    /// What an asset's rendition was made of: told by the tag that listed it, else by its name.
    func rendition(like row: RenditionRecord) -> PlannedRendition? {
        renditions.first { $0.stream.selected.isSource(of: row) } ?? renditions.first { $0.name == row.name }
    }
}

/// A selected stream with its media playlist read.
struct ResolvedStream: Sendable {
    var selected: SelectedStream
    /// The playlist's address after redirects; empty when it has none.
    var url: String
    var playlist: MediaPlaylist?
    var container: ContainerFormat
    /// When its first segment begins, in seconds from the beginning of the presentation: below 0 where that is a part
    /// of the stream which begins within the segment.
    var start = 0.0

    /// The keys it needs, in order, with repetitions; gaps (EXT-X-GAP) need none.
    var keys: [KeySource] {
        guard let playlist else { return [] }
        let sections = playlist.neededSections.sorted().map { playlist.initializationSections[$0].keys }
        let segments = playlist.segments.lazy.filter { !$0.isGap }.map(\.keys)
        return KeySource.all(of: sections + segments, base: URIReference(url))
    }

    /// All keys that its playlist names, likewise.
    var namedKeys: [KeySource] {
        guard let playlist else { return [] }
        let sections = playlist.initializationSections.map(\.keys)
        return KeySource.all(of: sections + playlist.segments.lazy.map(\.keys), base: URIReference(url))
    }
}

extension MediaPlaylist {
    /// The places of the initialization sections that segments need; gaps (EXT-X-GAP) need none.
    var neededSections: Set<Int> {
        guard !initializationSections.isEmpty else { return [] }
        return Set(segments.lazy.filter { !$0.isGap }.compactMap(\.initializationSection))
    }

    /// The media sequence numbers of the first segments that need them, by their places.
    var firstNeeds: [Int: Int] {
        guard !initializationSections.isEmpty else { return [:] }
        var needs: [Int: Int] = [:]
        for segment in segments where !segment.isGap {
            guard let section = segment.initializationSection, needs[section] == nil else { continue }
            needs[section] = segment.mediaSequence
        }
        return needs
    }
}

extension KeySource {
    /// Each one once.
    fileprivate static func each(of sources: [KeySource]) -> [KeySource] {
        var seen: Set<String> = []
        return sources.filter { seen.insert($0.address).inserted }
    }

    /// Where the keys of segments come from, in order, with repetitions.
    static func all(of keySets: some Sequence<[EncryptionKey]>, base: URIReference) -> [KeySource] {
        var last: [EncryptionKey] = []
        var sources: [KeySource] = []
        for keys in keySets where keys != last {
            last = keys
            let identity = ServedKeys.identity(keys)
            for key in keys where key == identity || key.keyFormat != "identity" {
                // A key that needs a URI and has none can't be had, which is not the same as needing none.
                guard key.method != .none, key.uri != nil || key == identity else { continue }
                let uri = key.uri ?? ""
                sources.append(
                    KeySource(
                        address: uri.isEmpty ? "" : ServedKeys.address(of: uri, base: base), uri: uri,
                        keyFormat: key == identity ? nil : key.keyFormat, method: key.method))
            }
        }
        return sources
    }
}

/// Where a content key comes from.
struct KeySource: Sendable {
    /// What the catalog knows it by: its absolute URL, or the hash of a `data:` URI.
    var address: String
    /// The URI as the playlist has it.
    var uri: String
    /// KEYFORMAT, when it is that of a key system: then the URI is never fetched.
    var keyFormat: String?
    /// What is encrypted with it, and how.
    var method = EncryptionKey.Method.aes128

    /// Whether its URI holds the key itself (RFC 2397).
    var isInline: Bool { Self.isInline(uri) }

    static func isInline(_ uri: String) -> Bool { uri.prefix(5).lowercased() == "data:" }
}

/// A rendition as it goes into the catalog.
struct PlannedRendition: Sendable {
    var name: String
    var stream: ResolvedStream
    var units: [UnitRecord]
    /// The size that samples of its segments make likely.
    var likelyBytes: Int64?

    init(_ stream: ResolvedStream, name: String) {
        self.name = name
        self.stream = stream
        units = stream.playlist.map { Self.neededUnits(of: $0, in: stream) } ?? []
    }

    /// All that its playlist lists, gaps and what they alone have among them: assets of earlier versions may miss that.
    var listedUnits: [UnitRecord] {
        stream.playlist.map { Self.units(of: $0, at: URIReference(stream.url), from: stream.start) } ?? []
    }

    /// Those without the initialization sections that gaps alone have.
    private static func neededUnits(of playlist: MediaPlaylist, in stream: ResolvedStream) -> [UnitRecord] {
        let units = units(of: playlist, at: URIReference(stream.url), from: stream.start)
        let needed = playlist.neededSections
        return units.filter { $0.kind == .segment || needed.contains($0.number) }
    }

    /// - Parameter start: when the first segment begins, in seconds of the presentation.
    static func units(
        of playlist: MediaPlaylist, at base: URIReference, from start: Double = 0
    ) -> [UnitRecord] {
        var units: [UnitRecord] = []
        units.reserveCapacity(playlist.segments.count + playlist.initializationSections.count)
        for (number, section) in playlist.initializationSections.enumerated() {
            units.append(
                UnitRecord(
                    kind: .initialization, number: number, start: 0, duration: 0,
                    url: URIReference(section.uri).resolved(against: base).description,
                    range: section.byteRange.flatMap(ClosedOffsetRange.init),
                    encryption: UnitEncryption(section.keys)))
        }
        var start = start
        for segment in playlist.segments {
            units.append(
                UnitRecord(
                    kind: .segment, number: segment.mediaSequence, start: start, duration: segment.duration,
                    url: URIReference(segment.uri).resolved(against: base).description,
                    range: segment.byteRange.flatMap(ClosedOffsetRange.init),
                    encryption: UnitEncryption(segment.keys),
                    state: segment.isGap ? .gap : .missing))
            start += segment.duration
        }
        return units
    }

    func record(at position: Int) -> RenditionRecord {
        let selected = stream.selected
        let attributes = selected.listings.first ?? AttributeList()
        let segments = units.lazy.filter { $0.kind == .segment && $0.state != .gap }
        return RenditionRecord(
            name: name, position: position, kind: selected.kind, required: selected.required,
            language: attributes["LANGUAGE"], title: attributes["NAME"],
            bandwidth: attributes.integer("BANDWIDTH"),
            resolution: attributes["RESOLUTION"], codecs: attributes["CODECS"],
            listings: selected.listings.map(\.verbatim), hasPlaylist: stream.playlist != nil,
            container: stream.container, duration: stream.playlist?.duration ?? 0, segments: segments.count,
            initializations: units.count { $0.kind == .initialization }, expectedBytes: exactBytes,
            likelyBytes: likelyBytes)
    }

    /// The size of it all, when the playlist tells that of every unit.
    private var exactBytes: Int64? {
        guard !units.isEmpty, units.allSatisfy({ $0.range != nil || $0.state == .gap }) else { return nil }
        return units.reduce(0) { $0.adding(Int64(claimed: $1.range?.length ?? 0)) }
    }
}

extension UnitEncryption {
    /// That of a unit with these keys.
    init(_ keys: [EncryptionKey]) {
        let key = ServedKeys.identity(keys) ?? keys.first { $0.method != .none }
        guard let method = key?.method, method.encryptsWholeSegments else {
            self = .none
            return
        }
        self = method.chainsBlocks ? .blocks : .other
    }
}

extension ClosedOffsetRange {
    init?(_ range: ByteRange) {
        guard range.offset >= 0, range.length >= 0 else { return nil }
        self.init(offset: UInt64(range.offset), length: UInt64(range.length))
    }
}
