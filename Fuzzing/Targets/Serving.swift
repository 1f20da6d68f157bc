#if DEBUG || FUZZING
    @testable internal import StorePlanning
    @testable internal import LivePlaylists
    @testable internal import StoreReading
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel
    internal import HLSPlaylist
    internal import SidebandSubtitles

    extension FuzzTarget {
        static let serving = [
            FuzzTarget("serve", tokens: servedTokens) { bytes throws(Finding) in
                switch try? Playlist(parsing: bytes) {
                case .media(let playlist)?: try ServedCopy.check(playlist)
                case .multivariant(let playlist)?: try ServedCopy.check(playlist)
                case nil: return
                }
            }
        ]

        private static let servedTokens = [
            "#EXTM3U\n", "#EXTINF:4,\n", "https://evil.test/a.ts\n", "//evil.test/b",
            "URI=\"https://evil.test\"",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"9@1\"\n",
            "#EXT-X-ENDLIST\n",
            "#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT=\"f\",URI=\"skd://a\"\n", "#EXT-X-I-FRAMES-ONLY\n",
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=2,X-ASSET-URI=\"b\"\n",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n", "#EXT-X-GAP\n", "#EXT-X-DISCONTINUITY\n",
            "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,", "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,",
            "#EXT-X-SESSION-DATA:DATA-ID=\"d\",", "VALUE=\"https://evil.test\"",
            "#EXT-X-SESSION-KEY:METHOD=AES-128,",
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://evil.test\"\n", "#EXT-X-START:TIME-OFFSET=2\n",
        ]
    }

    /// Checks that a served playlist is readable and has no addresses elsewhere.
    private enum ServedCopy {
        private static let origin = "https://origin.test/v/index.m3u8?t=s"
        private static let place = URIReference("http://127.0.0.1:8090/assets/T/video/media.m3u8")

        static func check(_ playlist: MediaPlaylist) throws(Finding) {
            // Stretches and skipped segments are counted on from there.
            guard max(playlist.mediaSequence, playlist.discontinuitySequence) < 1 << 60,
                !playlist.segments.isEmpty
            else { return }
            let stream = ResolvedStream(
                selected: StreamResolver.soleStream(playlist), url: origin,
                playlist: IFrameSections.added(to: playlist), container: .ts)
            try check(stream)
            var selection = Selection()
            (selection.start, selection.end) = (3, 9)
            for part in (try? TimeCut(selection)?.cut([stream])) ?? [] { try check(part) }
            guard playlist.isLive else { return }
            var wish = Selection.Recording()
            wish.fromStart = true
            let recording = try? LiveStart.plan([stream], sources: [], wish, lost: { _, _ in })
            for rendition in recording?.renditions ?? [] {
                try check(rendition.stream)
            }
        }

        private static func check(_ stream: ResolvedStream) throws(Finding) {
            guard let playlist = stream.playlist else { return }
            let plan = DownloadPlan([stream], sources: [])
            _ = (plan.interstitialPlaces, plan.renditions.first?.record(at: 0).expectedBytes)
            let served = ServedMediaPlaylist(
                playlist, keys: ServedKeys(records(of: plan.keys), base: URIReference(origin)),
                format: stream.container)
            let isPlain = playlist.variables.isEmpty
            try check(served.bytes, isPlain: isPlain, count: playlist.segments.count)
            for view in [
                LiveView(), LiveView(start: "live", window: "6"), LiveView(start: "2026-01-01T00:00:00Z"),
            ] {
                try check(GrowingPlaylist(served: served, view: view).bytes, isPlain: isPlain)
            }
            let stored = StoredPresentation(
                ranges: [TimeRange(start: 0, duration: 5), TimeRange(start: 9, duration: 1e9)],
                stored: Set(playlist.segments.prefix(3).map(\.mediaSequence)))
            try check(served.bytes(of: stored), isPlain: isPlain)
            try checkSubtitles(of: playlist, stored)
            try Finding.expect(
                DateRangeIndex(playlist).ranges.allSatisfy { range in
                    range.attributes.allSatisfy { !$0.value.contains("://") }
                }, "what is told of date ranges leads nowhere")
        }

        private static func checkSubtitles(
            of playlist: MediaPlaylist, _ stored: StoredPresentation
        ) throws(Finding) {
            let timeline = PresentationTimeline(playlist, isGrowing: playlist.isLive)
            try check(timeline.subtitlePlaylist(), isPlain: true, count: playlist.segments.count)
            let places = stored.places(in: playlist)
            try check(
                timeline.subtitlePlaylist(of: places, missing: [2...7]), isPlain: true, count: places.count)
            let map = timeline.map(of: playlist.segments.count - 1, firstTicks: 900_000)
            try Finding.expect((0..<1 << 33).contains(map.mpegTicks), "a clock has 33 bits")
        }

        private static func records(of sources: [KeySource]) -> [KeyRecord] {
            sources.enumerated().map { number, source in
                KeyRecord(
                    id: "k\(number)", url: source.address, format: source.keyFormat,
                    method: source.method.verbatim)
            }
        }

        /// - Parameters:
        ///   - isPlain: whether lines have their written length, so that they can be read again.
        ///   - count: the number of segments, if it is known.
        private static func check(_ bytes: [UInt8], isPlain: Bool, count: Int? = nil) throws(Finding) {
            guard case .media(let copy)? = try? Playlist(parsing: bytes) else {
                return try Finding.expect(!isPlain, "what is served is read again")
            }
            try Finding.expect(count == nil || count == copy.segments.count, "each segment is served")
            for segment in copy.segments {
                try Finding.expect(isLocal(segment.uri), "segments are ours")
                try Finding.expect(segment.keys.allSatisfy { leadsHere($0.attributes) }, "keys are ours")
            }
            for section in copy.initializationSections {
                try Finding.expect(isLocal(section.uri), "sections are ours")
                try Finding.expect(
                    section.keys.allSatisfy { leadsHere($0.attributes) }, "keys of sections are ours")
            }
            let lines = copy.segments.flatMap(\.otherTags) + copy.trailingTags
            try Finding.expect(!lines.contains { $0.contains("://") }, "other lines lead nowhere")
        }
    }

    extension ServedCopy {
        static func check(_ playlist: MultivariantPlaylist) throws(Finding) {
            let sample = try? Playlist(parsing: Array("#EXTM3U\n#EXTINF:4,\ns.ts\n#EXT-X-ENDLIST\n".utf8))
            guard let selected = try? StreamSelector.select(from: playlist, .everything),
                selected.contains(where: { $0.kind == .variant }), case .media(let media)? = sample
            else { return }
            let streams = selected.map { stream in
                ResolvedStream(
                    selected: stream, url: origin, playlist: stream.uri == nil ? nil : media, container: .ts)
            }
            let rows = DownloadPlan(streams, sources: []).renditions.enumerated().map { number, rendition in
                rendition.record(at: number)
            }
            let keys = KeySource.all(of: playlist.sessionKeys.map { [$0] }, base: URIReference(origin))
            var served = ServedMultivariantPlaylist(rows, preferences: .init(audio: "en"))
            served.storedData = Set(playlist.sessionData.indices)
            let bytes = served.bytes(
                source: playlist, keys: ServedKeys(records(of: keys), base: URIReference(origin)),
                title: "Film", poster: "../poster")
            guard case .multivariant(let copy)? = try? Playlist(parsing: bytes) else {
                return try Finding.expect(!playlist.variables.isEmpty, "what is served is read again")
            }
            try checkAddresses(of: copy)
        }

        private static func checkAddresses(of copy: MultivariantPlaylist) throws(Finding) {
            try Finding.expect(copy.variants.allSatisfy { isLocal($0.uri) }, "playlists are ours")
            let lists: [[AttributeList]] = [
                copy.variants.map(\.attributes), copy.renditions.map(\.attributes),
                copy.iFrameStreams.map(\.attributes), copy.imageStreams.map(\.attributes),
                copy.sessionData.map(\.attributes), copy.sessionKeys.map(\.attributes),
            ]
            try Finding.expect(
                lists.joined().allSatisfy(leadsHere), "renditions, pictures, keys and data are ours")
            try Finding.expect(
                copy.sessionData.allSatisfy { $0.value?.contains("://") != true }
                    && copy.contentSteering == nil, "nothing else leads to the network")
        }

        /// Whatever of several a player takes.
        private static func leadsHere(_ list: AttributeList) -> Bool {
            list.pairs.allSatisfy { $0.name != "URI" || isLocal($0.value.text) }
        }

        /// Whether an address is local; an address outside of the network counts as local, since only its key system
        /// interprets it.
        private static func isLocal(_ uri: String) -> Bool {
            let address = URIReference(uri).resolved(against: place)
            return !["http", "https"].contains(address.scheme) || address.host == place.host
        }
    }
#else
    extension FuzzTarget {
        static let serving: [FuzzTarget] = []
    }
#endif
