internal import HLSPlaylist

/// Cuts a stream that is not live to the selected part of its time, in whole segments. The segments keep their media
/// sequence numbers, byte ranges and initialization vectors. The first of them becomes the start of the presentation.
/// The part keeps the date ranges that overlap it, even if their tags are outside of it. Pure.
package struct TimeCut {
    /// The selected seconds of the presentation.
    private let wanted: Range<Double>

    /// The seconds by which a rendition may begin later, or end earlier, than the first one.
    package static let tolerance = 0.5

    /// - Returns: `nil` if everything is selected.
    package init?(_ selection: Selection) {
        guard selection.start != nil || selection.end != nil else { return nil }
        let start = selection.start ?? 0
        wanted = start..<max(selection.end ?? .infinity, start)
    }

    /// The streams cut to the same stretch; optional ones without a segment in it are left out.
    ///
    /// - Throws: `nothingSelected` if the stream has nothing at that time.
    package func cut(_ streams: [ResolvedStream]) throws(StoreError) -> [ResolvedStream] {
        guard let stretch = try stretch(of: streams) else { return streams }
        return streams.compactMap { stream in
            guard let playlist = stream.playlist else { return stream }
            let places = Self.places(of: playlist)
            let range = Self.segments(at: places, in: stretch)
            guard !range.isEmpty else { return stream.selected.required ? stream : nil }
            var part = stream
            part.playlist = Self.part(of: playlist, range, base: URIReference(stream.url)) ?? playlist
            part.start = min(places[range.lowerBound].lowerBound - stretch.lowerBound, 0)
            return part
        }
    }

    /// The start of the part in the streams, in seconds; `nil` when they are not cut.
    ///
    /// - Throws: as `cut`.
    package func start(in streams: [ResolvedStream]) throws(StoreError) -> Double? {
        try stretch(of: streams)?.lowerBound
    }

    /// The selected time, extended to whole segments of the first variant, in seconds; `nil` if streams are not cut.
    private func stretch(of streams: [ResolvedStream]) throws(StoreError) -> Range<Double>? {
        let lead = streams.first { $0.selected.kind == .variant && $0.playlist != nil }
        guard let lead = lead?.playlist ?? streams.lazy.compactMap(\.playlist).first, !lead.isLive else {
            return nil
        }
        let places = Self.places(of: lead)
        let indices = places.indices.filter { wanted.overlaps(places[$0]) && !places[$0].isEmpty }
        guard let first = indices.first, let last = indices.last else {
            let offered = "\(Int(min(lead.duration, 1e9).rounded())) seconds"
            throw StoreError(.nothingSelected(wish: "time", offered: [offered]))
        }
        return places[first].lowerBound..<places[last].upperBound
    }

    /// The presentation time of each segment, in seconds.
    private static func places(of playlist: MediaPlaylist) -> [Range<Double>] {
        var start = 0.0
        return playlist.segments.map { segment in
            defer { start += max(0, segment.duration) }
            return start..<start + max(0, segment.duration)
        }
    }

    /// The segments with more than half of their time in a stretch, and those beside them that are needed to fill it.
    private static func segments(at places: [Range<Double>], in stretch: Range<Double>) -> Range<Int> {
        let inside = places.indices.filter {
            stretch.contains((places[$0].lowerBound + places[$0].upperBound) / 2)
        }
        guard var first = inside.first ?? places.firstIndex(where: { $0.overlaps(stretch) }) else {
            return 0..<0
        }
        var end = (inside.last ?? first) + 1
        while first > 0, places[first].lowerBound > stretch.lowerBound + tolerance { first -= 1 }
        while end < places.count, places[end - 1].upperBound < stretch.upperBound - tolerance { end += 1 }
        return first..<end
    }

    /// A VOD playlist with some of the segments.
    private static func part(of playlist: MediaPlaylist, _ range: Range<Int>, base: URIReference)
        -> MediaPlaylist?
    {
        var writer = MediaPlaylistWriter(header: playlist)
        (writer.playlistType, writer.hasEndList, writer.start) = (.vod, true, nil)
        let first = playlist.segments[range.lowerBound]
        (writer.mediaSequence, writer.discontinuitySequence) = (
            first.mediaSequence, first.discontinuitySequence
        )
        let cut = DateRangeCut(playlist, to: time(of: range, in: playlist))
        let (before, after) = (
            playlist.segments[..<range.lowerBound], playlist.segments[range.upperBound...]
        )
        for tag in cut.dateRanges(among: before.flatMap(\.otherTags)) { writer.append(tag: tag) }
        for index in range {
            let segment = playlist.segments[index]
            let section = segment.initializationSection.map { playlist.initializationSections[$0] }
            var entry = SegmentEntry(segment, uri: segment.uri, initializationSection: section)
            entry.otherTags = segment.otherTags.filter(cut.keeps)
            if index == range.lowerBound {
                entry.isDiscontinuity = false
                entry.programDateTime = date(of: index, in: playlist, base)
            }
            writer.append(entry)
        }
        let rest = after.flatMap(\.otherTags) + playlist.trailingTags
        for tag in cut.dateRanges(among: rest) { writer.append(tag: tag) }
        guard case .media(let part)? = try? Playlist(parsing: writer.bytes) else { return nil }
        return part
    }

    /// The time of some of the segments; unbounded at the ends of the presentation.
    private static func time(of range: Range<Int>, in playlist: MediaPlaylist) -> Range<Double> {
        let places = places(of: playlist)
        let start = range.lowerBound == 0 ? -Double.infinity : places[range.lowerBound].lowerBound
        let end = range.upperBound == places.count ? .infinity : places[range.upperBound].lowerBound
        return start..<end
    }

    /// The date of a segment, if an earlier segment has one.
    private static func date(of index: Int, in playlist: MediaPlaylist, _ base: URIReference) -> String? {
        if let text = playlist.segments[index].programDateTime { return text }
        let seconds = SegmentIdentity.all(of: playlist, base: base)[index].date
        guard let seconds, abs(seconds) < 1e11 else { return nil }
        return Timestamp(milliseconds: Int64(seconds * 1000)).rfc3339
    }
}
