package import HLSPlaylist

/// Everything an asset consists of, before a byte of media is fetched. Made by pure functions.
package struct DownloadPlan: Sendable {
    package var renditions: [PlannedRendition]
    package var sources: [SourcePlaylist]
    /// Content keys to be had, in order of first use.
    package var keys: [KeySource]
    /// Seconds.
    package var duration: Double
    /// The time in the stream at which it begins, in seconds, if it is a part of the stream.
    package var partStart: Double?
    /// The session data of the stream.
    package var sessionData: [SessionDataRecord] = []
    /// The addresses that redirects have led to from the stream's address.
    package var redirects: [String] = []
    /// The state from which the recording continues; `nil` without a recording.
    package var recording: PlannedRecording?
    /// The stored interstitials, and the assets that were made for them.
    package var interstitials: [InterstitialRecord] = []
    package var interstitialAssets: [AssetToken] = []
    /// The parts of the request that are not in the stream.
    package var leftOut: [LeftOut] = []
    /// The user's subtitle files, as renditions beside those of the stream.
    package var subtitles: [AddedSubtitles] = []
    /// The chosen streams that could not be read.
    package var lost: [LostStream] = []

    /// Makes a plan. Renditions carried in another one are listed, but have nothing to fetch.
    ///
    /// - Parameter taken: the names of the asset's present renditions.
    package init(_ streams: [ResolvedStream], sources: [SourcePlaylist], taken: [String] = []) {
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
    /// The keys that gaps alone name (EXT-X-GAP), in order of first use.
    package var keysOfGaps: [KeySource] {
        let needed = Set(keys.map(\.address))
        return KeySource.each(of: renditions.flatMap(\.stream.namedKeys)).filter {
            !needed.contains($0.address)
        }
    }

    /// The places that its interstitials name.
    package var interstitialPlaces: [InterstitialPlace] {
        var seen: Set<InterstitialPlace> = []
        return renditions.flatMap { planned in
            InterstitialPlace.all(
                in: planned.stream.playlist?.dateRanges.map(\.attributes) ?? [],
                base: URIReference(planned.stream.url))
        }.filter { seen.insert($0).inserted }
    }

    /// The planned rendition that an asset's rendition was made of, by the tag that listed it, else by its name.
    package func rendition(like row: RenditionRecord) -> PlannedRendition? {
        renditions.first { $0.stream.selected.isSource(of: row) } ?? renditions.first { $0.name == row.name }
    }
}

/// A selected stream with its media playlist read.
package struct ResolvedStream: Sendable {
    package var selected: SelectedStream
    /// The playlist's address after redirects; empty without one.
    package var url: String
    package var playlist: MediaPlaylist?
    package var container: ContainerFormat
    /// The start of its first segment, in seconds from the beginning of the presentation: below 0 if the presentation
    /// is a part that begins within the segment.
    package var start = 0.0

    package init(
        selected: SelectedStream, url: String, playlist: MediaPlaylist? = nil,
        container: ContainerFormat, start: Double = 0.0
    ) {
        self.selected = selected
        self.url = url
        self.playlist = playlist
        self.container = container
        self.start = start
    }

    /// The keys it needs, in order, with repetitions; gaps (EXT-X-GAP) need none.
    package var keys: [KeySource] {
        guard let playlist else { return [] }
        let sections = playlist.neededSections.sorted().map { playlist.initializationSections[$0].keys }
        let segments = playlist.segments.lazy.filter { !$0.isGap }.map(\.keys)
        return KeySource.all(of: sections + segments, base: URIReference(url))
    }

    /// All keys that its playlist names, in order, with repetitions.
    package var namedKeys: [KeySource] {
        guard let playlist else { return [] }
        let sections = playlist.initializationSections.map(\.keys)
        return KeySource.all(of: sections + playlist.segments.lazy.map(\.keys), base: URIReference(url))
    }
}

extension MediaPlaylist {
    /// The places of the initialization sections that segments need; gaps (EXT-X-GAP) need none.
    package var neededSections: Set<Int> {
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

    /// The sources of segments' keys, in order, with repetitions.
    package static func all(of keySets: some Sequence<[EncryptionKey]>, base: URIReference) -> [KeySource] {
        var last: [EncryptionKey] = []
        var sources: [KeySource] = []
        for keys in keySets where keys != last {
            last = keys
            let identity = ServedKeys.identity(keys)
            for key in keys where key == identity || key.keyFormat != "identity" {
                // A key without the URI that it needs can't be fetched, which is different from needing none.
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

/// The source of a content key.
package struct KeySource: Sendable {
    /// The name of the source in the catalog: its absolute URL, or the hash of a `data:` URI.
    package var address: String
    /// The URI as written in the playlist.
    package var uri: String
    /// KEYFORMAT, when it is that of a key system: then the URI is never fetched.
    package var keyFormat: String?
    /// The method of encryption with the key.
    package var method = EncryptionKey.Method.aes128

    package init(
        address: String, uri: String, keyFormat: String? = nil,
        method: EncryptionKey.Method = EncryptionKey.Method.aes128
    ) {
        self.address = address
        self.uri = uri
        self.keyFormat = keyFormat
        self.method = method
    }

    /// Whether its URI holds the key itself (RFC 2397).
    package var isInline: Bool { Self.isInline(uri) }

    package static func isInline(_ uri: String) -> Bool { uri.prefix(5).lowercased() == "data:" }
}

/// A rendition as it goes into the catalog.
package struct PlannedRendition: Sendable {
    package var name: String
    package var stream: ResolvedStream
    package var units: [UnitRecord]
    /// The size that samples of its segments make likely.
    package var likelyBytes: Int64?

    package init(_ stream: ResolvedStream, name: String) {
        self.name = name
        self.stream = stream
        units = stream.playlist.map { Self.neededUnits(of: $0, in: stream) } ?? []
    }

    /// All units of its playlist, including gaps and the sections of gaps: assets of earlier versions may lack these.
    package var listedUnits: [UnitRecord] {
        stream.playlist.map { Self.units(of: $0, at: URIReference(stream.url), from: stream.start) } ?? []
    }

    /// The units of a playlist without the initialization sections that only gaps have.
    private static func neededUnits(of playlist: MediaPlaylist, in stream: ResolvedStream) -> [UnitRecord] {
        let units = units(of: playlist, at: URIReference(stream.url), from: stream.start)
        let needed = playlist.neededSections
        return units.filter { $0.kind == .segment || needed.contains($0.number) }
    }

    /// - Parameter start: when the first segment begins, in seconds of the presentation.
    package static func units(
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

    package func record(at position: Int) -> RenditionRecord {
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
    /// The encryption of a unit with these keys.
    package init(_ keys: [EncryptionKey]) {
        let key = ServedKeys.identity(keys) ?? keys.first { $0.method != .none }
        guard let method = key?.method, method.encryptsWholeSegments else {
            self = .none
            return
        }
        self = method.chainsBlocks ? .blocks : .other
    }
}

extension ClosedOffsetRange {
    package init?(_ range: ByteRange) {
        guard range.offset >= 0, range.length >= 0 else { return nil }
        self.init(offset: UInt64(range.offset), length: UInt64(range.length))
    }
}
