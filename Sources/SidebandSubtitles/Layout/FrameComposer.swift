/// Lays out the subtitles of a moment by the "rules for updating the display of WebVTT text tracks" (WebVTT §7.1).
///
/// A cue keeps the position that it got when it appeared, even after the cues that were in its way are gone. So the
/// composer first positions the cues that were visible when this one appeared, and so on back in time. The layout
/// then depends only on the time.
///
/// ```swift
/// guard let size = FrameSize(width: 1280, height: 720) else { return }
/// let composer = FrameComposer([ShownTrack(track)], size: size, measuring: fonts)
/// let layout = composer.layout(at: CueTime(seconds: 12))
/// ```
public struct FrameComposer {
    /// How many cues are looked at for a picture; further ones are not shown.
    public static let maximumCues = 400
    /// How many bytes of cue text are laid out for a picture; further cues are not shown.
    public static let maximumText = 50_000

    private let tracks: [ShownTrack]
    private let frame: FrameSize
    private let measuring: any TextMeasuring

    /// - Parameters:
    ///   - tracks: the tracks that are shown. Cues of the first track are positioned first.
    ///   - size: the size of the picture.
    ///   - measuring: measures text in the fonts of the output.
    public init(_ tracks: [ShownTrack], size: FrameSize, measuring: any TextMeasuring) {
        self.tracks = tracks
        frame = size
        self.measuring = measuring
    }

    /// The layout of the cues that are shown at a moment.
    public func layout(at time: CueTime) -> FrameLayout {
        let flow = CueFlow(frame: frame, time: time, measuring: measuring)
        var placed = neededCues(at: time).compactMap {
            flow.flow(tracks[$0.track], track: $0.track, index: $0.index)
        }
        place(&placed)
        let shown = placed.filter { $0.isShown(at: time) }
        let span = validity(shown, at: time)
        return FrameLayout(
            size: frame, regions: regions(shown, at: time),
            cues: shown.compactMap { cue in cue.rect.map { cue.box(at: $0) } },
            validFrom: span.from, validUntil: span.until)
    }

    // MARK: Choosing cues

    private struct CueNumber: Hashable {
        var track: Int
        var index: Int
    }

    /// The visible cues, and the earlier cues on which their positions depend, in the order in which they appeared.
    private func neededCues(at time: CueTime) -> [CueNumber] {
        var needed = active(at: time, limit: FrameComposer.maximumCues)
        var known = Set(needed)
        var (next, text) = (0, 0)
        var lookedAt: Set<CueTime> = []
        while next < needed.count, needed.count < FrameComposer.maximumCues {
            let start = cue(needed[next]).start
            next += 1
            guard lookedAt.insert(start).inserted else { continue }
            for number in active(at: start, limit: FrameComposer.maximumCues)
            where known.insert(number).inserted {
                needed.append(number)
            }
        }
        needed.sort(by: appearsBefore)
        return Array(
            needed.prefix {
                text += cue($0).text.utf8.count
                return text <= FrameComposer.maximumText || $0 == needed[0]
            }.prefix(FrameComposer.maximumCues))
    }

    private func active(at time: CueTime, limit: Int) -> [CueNumber] {
        tracks.indices.flatMap { track in
            tracks[track].active(at: time, limit: limit).map { CueNumber(track: track, index: $0) }
        }
    }

    private func cue(_ number: CueNumber) -> Cue { tracks[number.track].track.cues[number.index] }

    private func appearsBefore(_ first: CueNumber, _ second: CueNumber) -> Bool {
        let starts = (cue(first).start, cue(second).start)
        if starts.0 != starts.1 { return starts.0 < starts.1 }
        return first.track == second.track ? first.index < second.index : first.track < second.track
    }

    // MARK: Placing cues

    private func place(_ cues: inout [PlacedCue]) {
        let layout = RegionLayout(frame: frame)
        for index in cues.indices where cues[index].region == nil {
            let start = cues[index].cue.start
            // Cues behind this one have no place yet.
            let obstacles = cues.compactMap { cue -> FrameRect? in
                guard cue.isShown(at: start) else { return nil }
                return cue.region.map(layout.rect) ?? cue.rect
            }
            cues[index].rect = BoxPlacer(frame: frame, obstacles: obstacles).box(of: cues[index])
        }
    }

    private func regions(_ cues: [PlacedCue], at time: CueTime) -> [RegionBox] {
        var order: [(track: Int, region: CueRegion)] = []
        for cue in cues {
            guard let region = cue.region else { continue }
            if !order.contains(where: { $0.track == cue.track && $0.region == region }) {
                order.append((cue.track, region))
            }
        }
        return order.map { track, region in
            let styler = CueStyler(sheet: tracks[track].sheet, language: tracks[track].language, frame: frame)
            return RegionLayout(frame: frame).box(
                region, cues.filter { $0.track == track && $0.region == region },
                style: styler.style(ofRegion: region.identifier).box, at: time)
        }
    }

    // MARK: For how long

    /// The time around a moment in which the picture does not change.
    private func validity(_ shown: [PlacedCue], at time: CueTime) -> (from: CueTime, until: CueTime?) {
        let around = tracks.map { $0.changes(around: time) }
        // Text is "future" until its timestamp, and "past" after it: both moments change the picture.
        let moments = shown.flatMap(\.timestamps).flatMap {
            [$0, CueTime(milliseconds: $0.milliseconds + 1)]
        }
        let from = (around.compactMap(\.last) + moments.filter { $0 <= time }).max()
        let until = (around.compactMap(\.next) + moments.filter { $0 > time }).min()
        let scrolling = shown.filter { $0.region?.scrollsUp ?? false }
        guard RegionLayout.isScrolling(scrolling, at: time) else {
            return (from ?? CueTime(milliseconds: min(0, time.milliseconds)), until)
        }
        return (time, CueTime(milliseconds: time.milliseconds + 1))
    }
}
