package import HLSPlaylist

/// Decides which segments of a rendition make up a playlist of stored segments. Pure.
///
/// Renditions with gaps in different places would drift apart. So all of them are cut to the stretches that play as a
/// whole; each stretch begins with a discontinuity, and counts as one in every rendition. A segment that is missing
/// within a stretch becomes a gap (EXT-X-GAP) and keeps its time.
package struct StoredPresentation {
    /// The stretches that play, in order.
    package let ranges: [TimeRange]
    /// The segments that are stored, by media sequence number.
    package let stored: Set<Int>
    /// The start of the rendition's first segment, in seconds from the beginning of the presentation; 0 or less.
    package var start = 0.0

    package init(ranges: [TimeRange], stored: Set<Int>, start: Double = 0.0) {
        self.ranges = ranges
        self.stored = stored
        self.start = start
    }

    /// A segment to list.
    package struct Place {
        package var segment: MediaSegment
        /// Its index in the whole playlist, from 0.
        package var index: Int
        /// The number of its stretch.
        package var stretch: Int
        /// Whether it is missing.
        package var isGap: Bool
        /// EXT-X-PROGRAM-DATE-TIME: where the playlist has one, and at the beginning of a stretch if any is known.
        package var date: String?

        package init(segment: MediaSegment, index: Int, stretch: Int, isGap: Bool, date: String? = nil) {
            self.segment = segment
            self.index = index
            self.stretch = stretch
            self.isGap = isGap
            self.date = date
        }
    }

    /// The segments to list; those of each stretch begin with their date, if one is known.
    package func places(in playlist: MediaPlaylist) -> [Place] {
        let dates = DateRangeIndex(playlist)
        var listed: [Place] = []
        var end = start
        var stretch = 0
        for (index, segment) in playlist.segments.enumerated() {
            let begin = end
            end += segment.duration
            // Media before the presentation's beginning are not a part of it.
            let middle = (max(begin, 0) + end) / 2
            while stretch < ranges.count, ranges[stretch].end < middle { stretch += 1 }
            guard stretch < ranges.count else { break }
            guard ranges[stretch].start <= middle else { continue }
            let isGap = segment.isGap || !stored.contains(segment.mediaSequence)
            let isFirst = listed.last?.stretch != stretch
            let date = segment.programDateTime ?? (isFirst ? dates.date(at: begin - start)?.rfc3339 : nil)
            listed.append(
                Place(segment: segment, index: index, stretch: stretch, isGap: isGap, date: date))
        }
        return listed
    }

    /// The time in the playlist of stored segments for a time of the whole playlist. A time that is not listed
    /// becomes that of the next listed segment; `nil` behind the last one.
    ///
    /// - Parameter place: seconds from the beginning of the whole playlist, 0 or more.
    package func start(at place: Double, in playlist: MediaPlaylist) -> StartPoint? {
        let shown = Set(places(in: playlist).map(\.index))
        var (end, played) = (0.0, 0.0)
        for (index, segment) in playlist.segments.enumerated() {
            let begin = end
            end += segment.duration
            guard shown.contains(index) else { continue }
            if place < end { return StartPoint(timeOffset: played + max(0, place - begin)) }
            played += segment.duration
        }
        return nil
    }
}

extension ServedMediaPlaylist {
    /// The stored part of the presentation, as VOD. Initialization vectors that follow from the segments' numbers are
    /// written out where a gap would shift the numbers.
    package func bytes(of stored: StoredPresentation) -> [UInt8] {
        let listed = stored.places(in: source)
        var writer = MediaPlaylistWriter(header: source)
        writer.playlistType = .vod
        writer.hasEndList = true
        writer.start = start
        guard let first = listed.first else { return writer.bytes }
        writer.mediaSequence = first.segment.mediaSequence
        writer.discontinuitySequence = first.segment.discontinuitySequence + first.stretch
        let shown = Set(listed.map(\.index))
        let hidden = source.segments.indices.lazy.filter { !shown.contains($0) }.map { source.segments[$0] }
        for tag in dateRanges(of: hidden) { writer.append(tag: tag) }
        let sections = sections
        var before: Int?
        for place in listed {
            var entry = entry(place.segment, sections)
            if place.stretch != before { entry.isDiscontinuity = before != nil }
            (entry.isGap, entry.programDateTime) = (place.isGap, place.date)
            entry.keys = entry.keys.map { withVector($0, of: place.segment) }
            before = place.stretch
            writer.append(entry)
        }
        for tag in source.trailingTags.compactMap(interstitials.local) { writer.append(tag: tag) }
        return writer.bytes
    }

    /// Whether samples have the vector that follows from their segment's number (RFC 8216bis, section 5.2). MP4 has
    /// its own vectors; the initialization section of a transport stream has only tables.
    private func isByNumber(_ key: EncryptionKey) -> Bool {
        key.method == .sampleAES && key.keyFormat == "identity" && format != .m4s && format != .mp4
    }

    /// A key that says which initialization vector it is used with, where that follows from a segment's number.
    private func withVector(_ key: EncryptionKey, of segment: MediaSegment) -> EncryptionKey {
        guard key.ivText == nil, key.method.chainsBlocks || isByNumber(key) else { return key }
        return key.replacing(iv: InitializationVector(mediaSequence: segment.mediaSequence))
    }
}
