#if DEBUG || FUZZING
    @testable internal import LivePlaylists
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel
    internal import HLSPlaylist

    extension FuzzTarget {
        static let live = [
            FuzzTarget("live", tokens: liveTokens) { bytes throws(Finding) in
                try checkRecording(bytes.split(separator: 0x0C, maxSplits: 7).map { Array($0) })
            }
        ]

        private static let liveTokens = [
            "\u{C}", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n", "#EXT-X-MEDIA-SEQUENCE:", "4611686018427387903",
            "0",
            "#EXTINF:1,\n", "s1.ts\n", "#EXT-X-DISCONTINUITY\n", "#EXT-X-DISCONTINUITY-SEQUENCE:7\n",
            "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n", "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n",
            "#EXT-X-MAP:URI=\"i.mp4\"\n", "#EXT-X-GAP\n", "#EXT-X-ENDLIST\n",
            "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n", "#EXT-X-BYTERANGE:10@20\n",
        ]

        private static let address = "https://origin.test/live/index.m3u8?t=s"

        /// Loads the playlists one after the other, as a recording does.
        private static func checkRecording(_ loads: [[UInt8]]) throws(Finding) {
            let context = VariableContext(imported: [:], playlistURL: address)
            var updates = DeltaUpdates()
            var recording: TriedRecording?
            for (second, load) in loads.enumerated() {
                _ = updates.address(address, now: Double(second))
                guard case .media(let loaded)? = try? Playlist(parsing: load, context: context),
                    let whole = updates.take(loaded, context, at: Double(second)), !whole.segments.isEmpty
                else { continue }
                if recording == nil { recording = TriedRecording(whole) }
                try recording?.take(whole)
            }
            try recording?.checkWhole()
        }
    }

    /// A recording of one rendition, as it goes into the catalog.
    private struct TriedRecording {
        private static let base = URIReference("https://origin.test/live/index.m3u8")
        private var window: LiveWindow
        private var policy = ReloadPolicy()
        private var body: [UInt8]
        private var sections = RecordedSections([], units: [])
        private var last: MediaPlaylist
        private var isBegun = false
        /// Whether addresses have their written length: variables may make a line too long to be read.
        private var isPlain = true

        /// `nil` for a playlist that can't be recorded.
        init?(_ playlist: MediaPlaylist) {
            window = LiveWindow(playlist, base: Self.base, at: 0, room: 100_000)
            body = RecordedPlaylist.head(of: playlist, from: playlist.segments[0])
            last = playlist
            guard (try? Playlist(parsing: body)) != nil else { return nil }
        }

        mutating func take(_ playlist: MediaPlaylist) throws(Finding) {
            let before = window.next
            last = playlist
            var grown = window
            guard let growth = try? grown.take(playlist, base: Self.base) else {
                return try Finding.expect(grown.next == before, "what can't be counted is not taken")
            }
            _ = growth.keys(base: Self.base)
            if !playlist.variables.isEmpty { isPlain = false }
            let lines = RecordedPlaylist.piece(growth, isFirst: !isBegun)
            guard let piece = try? RecordedPiece(lines, from: before) else {
                return try Finding.expect(!isPlain, "what is added to a recording is read again")
            }
            (window, isBegun) = (grown, true)
            body += lines
            let units = RecordedPlaylist.units(of: piece.playlist, start: 0, sections: &sections)
            let numbers = units.filter { $0.kind == .segment }.map(\.number)
            try Finding.expect(
                !isPlain || numbers == Array(before..<window.next),
                "segments are entered under the numbers that follow")
            try checkPace(playlist, gained: growth.duration)
        }

        private mutating func checkPace(_ playlist: MediaPlaylist, gained: Double) throws(Finding) {
            let load = ReloadPolicy.Load(
                target: Double(max(playlist.targetDuration, 1)), listed: playlist.duration, gained: gained,
                elapsed: 1)
            guard case .wait(let seconds) = policy.loaded(load) else { return }
            try Finding.expect(
                (ReloadPolicy.shortestPause...1e9).contains(seconds),
                "a playlist is loaded again after a time")
        }

        /// Checks that the recorded pieces form one playlist, after which a recording can continue.
        func checkWhole() throws(Finding) {
            guard isPlain else { return }
            guard case .media(let recorded)? = try? Playlist(parsing: body) else {
                throw Finding(description: "what was recorded is read again")
            }
            try Finding.expect(
                recorded.mediaSequence + recorded.segments.count == window.next,
                "what was recorded ends where the recording goes on")
            var resumed = LiveWindow(
                after: recorded, shift: window.shift, discontinuity: window.discontinuity)
            for _ in 0..<2 { _ = try? resumed.take(last, base: Self.base) }
            try Finding.expect(resumed.next >= window.next, "a recording that goes on goes forward")
        }
    }
#else
    extension FuzzTarget {
        static let live: [FuzzTarget] = []
    }
#endif
