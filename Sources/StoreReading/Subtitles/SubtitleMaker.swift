internal import HLSPlaylist
internal import SidebandSubtitles

/// Makes one track of the stored segments of a subtitle rendition.
struct SubtitleMaker {
    let token: AssetToken
    let rows: [RenditionRecord]
    let row: RenditionRecord
    let paths: StorePaths
    let catalog: Catalog

    private static let limits = ReadSubtitles.limits
    /// Bytes of text that all segments of a track may have together.
    private static let totalBytes = 128 << 20
    /// Counted up when the same segments give other cues.
    private static let version: UInt64 = 2

    /// The rendition whose segments subtitles follow: the first variant, or without one the first rendition.
    private var main: RenditionRecord? { Self.main(of: rows) }

    static func main(of rows: [RenditionRecord]) -> RenditionRecord? {
        let playable = rows.filter { $0.hasPlaylist && $0.failure == nil }
        return playable.first { $0.kind == .variant } ?? playable.first { $0.kind == .audio }
    }

    /// Whether the asset is a recording that goes on.
    private var isGrowing: Bool {
        get throws(StoreError) { try catalog.recordings.recording(of: token)?.isOpen == true }
    }

    /// The identity of the stored units of the track and of the media whose clock it needs, and of the keys that are
    /// there to read them.
    func revision() throws(StoreError) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01B3 }
        mix(Self.version)
        for unit in try catalog.units.all(of: row.id, states: [.stored]) {
            mix(UInt64(truncatingIfNeeded: unit.number))
            for byte in (unit.sha256 ?? []).prefix(8) { mix(UInt64(byte)) }
        }
        // The clocks depend on which of these are stored first; once all are, they stay.
        mix(UInt64(main?.storedSegments ?? 0))
        mix(UInt64(main?.storedInitializations ?? 0))
        for section in try missingSections() { mix(UInt64(truncatingIfNeeded: section)) }
        mix(row.isComplete ? 1 : 0)
        mix(try isGrowing ? 1 : 0)
        mix(
            UInt64(
                try main.map { row throws(StoreError) in try catalog.recordings.pieceCount(token, row.name) }
                    ?? 0))
        for key in try catalog.renditions.keys(of: token) where key.sealed != nil {
            for byte in key.id.utf8 { mix(UInt64(byte)) }
            for byte in (key.digest ?? key.sealed ?? []).prefix(8) { mix(UInt64(byte)) }
        }
        return String(hash, radix: 36)
    }

    func make(revision: String, keys: [String: [UInt8]]) throws(StoreError) -> AssetSubtitles {
        let media = try main.flatMap { row throws(StoreError) in try clear(row, keys) }
        let isGrowing = try isGrowing
        let timeline = media.map { PresentationTimeline($0.playlist, isGrowing: isGrowing) }
        var clocks: [Int: FirstTimestamp] = [:]
        if let main, let media, let timeline {
            let stored = Set(try catalog.units.storedNumbers(ofRendition: main.id))
            clocks = try AssetClocks(
                timeline: timeline, media: media, stored: stored, missingSections: Set(try missingSections())
            ).firstTimestamps()
        }
        let merge = try merge(keys, timeline, clocks: clocks)
        let merged = merge.subtitles
        let isDamaged = try hasDamagedClock(clocks, media) ? true : merge.isDamaged
        let isPlaced = row.sourceFile != nil || clocks.values.allSatisfy { $0 != .notStored }
        let resolution = rows.compactMap(\.resolution).compactMap(PictureSize.init(resolution:)).first
        let segmented = timeline.map {
            SegmentedTrack(merged.track, segmentStarts: $0.segments.map(\.start), writer: WebVTTWriter())
        }
        return AssetSubtitles(
            rendition: SubtitleRendition(row), track: merged.track, revision: revision,
            isComplete: row.isComplete && merge.isWhole && !isDamaged && isPlaced && !isGrowing,
            isDamaged: isDamaged, problems: merged.problems,
            picture: resolution ?? PictureSize(), timeline: timeline, segmented: segmented, clocks: clocks,
            missing: try missingRanges())
    }

    /// The initialization sections of the media that are still to come, by number.
    private func missingSections() throws(StoreError) -> [Int] {
        guard let main else { return [] }
        return try catalog.units.missingSections(ofRendition: main.id)
    }

    /// Whether a clock may be unreadable only because media files were truncated or are missing. Files are checked
    /// only if there is such a clock.
    private func hasDamagedClock(
        _ clocks: [Int: FirstTimestamp], _ media: ClearSegments?
    ) throws(StoreError) -> Bool {
        guard let main, let media, clocks.values.contains(.unreadable) else { return false }
        return try !catalog.units.storedOutlines(ofRendition: main.id).allSatisfy { media.has($0) }
    }

    /// The stored segments of a rendition with the playlist that the origin sent.
    private func clear(_ row: RenditionRecord, _ keys: [String: [UInt8]]) throws(StoreError) -> ClearSegments?
    {
        guard let source = try catalog.renditions.mediaPlaylist(token, row.name) else { return nil }
        return ClearSegments(
            source.playlist, url: source.url, paths: paths, token: token, rendition: row.name,
            container: row.container,
            keys: keys, records: try catalog.renditions.keys(of: token))
    }

    /// The result of merging the segments.
    private struct Merge {
        var subtitles: MergedSubtitles
        /// Whether no cue was left out because of a limit.
        var isWhole = true
        /// Whether files were truncated or changed; they count as missing.
        var isDamaged = false
    }

    private func merge(
        _ keys: [String: [UInt8]], _ timeline: PresentationTimeline?, clocks: [Int: FirstTimestamp]
    ) throws(StoreError) -> Merge {
        let known = clocks.mapValues(\.ticks)
        let mediaClocks = (timeline?.starts ?? [:]).reduce(into: [Int: MediaClock]()) { all, item in
            all[item.key] = MediaClock(start: item.value, firstTicks: known[item.key] ?? nil)
        }
        var merger = SegmentMerger(
            clocks: mediaClocks, unmappedTimes: row.sourceFile == nil ? .mediaClock : .presentation,
            limits: Self.limits)
        guard let segments = try clear(row, keys) else { return Merge(subtitles: merger.merged()) }
        let stored = try catalog.units.storedOutlines(ofRendition: row.id)
        let whole = stored.filter { segments.has($0) }
        let sound = Set(whole.filter { $0.kind == .segment }.map { $0.number })
        let isDamaged = whole.count < stored.count
        var (start, room, isWhole) = (try catalog.units.start(ofRendition: row.id), Self.totalBytes, true)
        for segment in segments.playlist.segments {
            let place = SegmentPlace(
                start: start, duration: segment.duration, discontinuity: segment.discontinuitySequence)
            start += segment.duration
            let isSound = sound.contains(segment.mediaSequence)
            let bytes = isSound ? try segments.segment(segment) : nil
            room -= bytes?.count ?? 0
            let isCut = bytes.map { $0.count >= ClearSegments.limit } ?? isSound
            isWhole = isWhole && !isCut
            let section = try segment.initializationSection.flatMap { number throws(StoreError) in
                try segments.initialization(number)
            }
            guard room >= 0, (try? merger.add(bytes, at: place, initialization: section)) != nil else {
                return Merge(subtitles: merger.merged(), isWhole: false, isDamaged: isDamaged)
            }
        }
        let merged = merger.merged()
        return Merge(
            subtitles: merged, isWhole: isWhole && merged.track.cues.count < Self.limits.cues,
            isDamaged: isDamaged)
    }

    /// The seconds of the presentation whose subtitles are still to come.
    private func missingRanges() throws(StoreError) -> [ClosedRange<Double>] {
        guard !row.isComplete else { return [] }
        let missing = try catalog.units.outlines(of: row.id).filter { $0.state == .missing }
        // MP4 segments can't be read without their initialization section.
        if missing.contains(where: { $0.kind == .initialization }) {
            return [0...Double.greatestFiniteMagnitude]
        }
        return missing.map { $0.start...$0.start + max($0.duration, 0) }
    }
}

extension PictureSize {
    /// Reads a size in the form of RESOLUTION, such as `1280x720`.
    init?(resolution: String) {
        let sides = resolution.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides[0] > 0, sides[1] > 0 else { return nil }
        self.init(width: sides[0], height: sides[1])
    }
}
