internal import HLSPlaylist
internal import SidebandSubtitles

/// When the segments of an asset's main rendition are shown: what subtitles are cut along. Pure.
struct PresentationTimeline: Sendable {
    /// A segment of the main rendition.
    struct Segment: Sendable {
        /// Seconds from the beginning of the presentation.
        var start: Double
        var duration: Double
        var durationText: String
        /// As the playlist counts it.
        var discontinuity: Int
        var isDiscontinuity: Bool
    }

    let segments: [Segment]
    let targetDuration: Int
    /// EXT-X-DISCONTINUITY-SEQUENCE.
    let discontinuitySequence: Int
    /// When each discontinuity begins.
    let starts: [Int: Double]
    /// Whether it is recorded and goes on.
    let isGrowing: Bool

    init(_ playlist: MediaPlaylist, isGrowing: Bool = false) {
        self.isGrowing = isGrowing
        var (start, starts, segments) = (0.0, [Int: Double](), [Segment]())
        segments.reserveCapacity(playlist.segments.count)
        for segment in playlist.segments {
            let discontinuity = segment.discontinuitySequence
            if starts[discontinuity] == nil { starts[discontinuity] = start }
            segments.append(
                Segment(
                    start: start, duration: segment.duration, durationText: segment.durationText,
                    discontinuity: discontinuity, isDiscontinuity: segment.isDiscontinuity))
            start += segment.duration
        }
        (self.segments, self.starts) = (segments, starts)
        targetDuration = playlist.targetDuration
        discontinuitySequence = playlist.discontinuitySequence
    }

    /// The playlist of a track that is cut along these segments into `0.vtt`, `1.vtt` and so on.
    ///
    /// Discontinuities have the numbers that they have in the media's playlist, by which players match the clocks.
    var subtitlePlaylist: [UInt8] {
        var writer = MediaPlaylistWriter()
        writer.targetDuration = targetDuration
        writer.discontinuitySequence = discontinuitySequence
        writer.playlistType = isGrowing ? .event : .vod
        writer.hasEndList = !isGrowing
        for (number, segment) in segments.enumerated() {
            var entry = SegmentEntry(
                uri: ServedMediaPlaylist.segmentName(number, .vtt), duration: segment.duration,
                durationText: segment.durationText)
            entry.isDiscontinuity = segment.isDiscontinuity
            writer.append(entry)
        }
        return writer.bytes
    }

    /// The map of a segment's cue times, which are times of the presentation, to the media's clock.
    ///
    /// - Parameter firstTicks: the clock at the beginning of the segment's discontinuity.
    func map(of number: Int, firstTicks: Int) -> TimestampMap {
        let start = starts[segments[number].discontinuity] ?? 0
        let local = CueTime(milliseconds: Int((start * 1000).rounded(.down)))
        let ticks = firstTicks - Int(((start - local.seconds) * 90_000).rounded())
        let wrap = 1 << 33
        return TimestampMap(local: local, mpegTicks: (ticks % wrap + wrap) % wrap)
    }
}
