internal import HLSPlaylist

/// Which parts of a rendition make up a playlist of what is stored. Pure.
///
/// Renditions with holes in different places would run apart, so that all of them are cut to the stretches that play as
/// a whole; each stretch begins with a discontinuity, and counts as one in every rendition.
struct StoredPresentation {
    /// The stretches that play, in order.
    let ranges: [TimeRange]
    /// The segments that are stored, by media sequence number.
    let stored: Set<Int>

    /// The segments to list, each with the number of its stretch.
    func segments(of playlist: MediaPlaylist) -> [(segment: MediaSegment, stretch: Int)] {
        var listed: [(segment: MediaSegment, stretch: Int)] = []
        var start = 0.0
        var stretch = 0
        for segment in playlist.segments {
            let middle = start + segment.duration / 2
            start += segment.duration
            while stretch < ranges.count, ranges[stretch].end < middle { stretch += 1 }
            guard stretch < ranges.count else { break }
            guard ranges[stretch].start <= middle, stored.contains(segment.mediaSequence) else { continue }
            listed.append((segment, stretch))
        }
        return listed
    }
}

extension ServedMediaPlaylist {
    /// What is stored of the presentation, as VOD. The numbers stay those of the whole: where a hole would shift them,
    /// initialization vectors that follow from them are written out.
    func bytes(of stored: StoredPresentation) -> [UInt8] {
        let listed = stored.segments(of: source)
        var writer = MediaPlaylistWriter(header: source)
        writer.playlistType = .vod
        writer.hasEndList = true
        writer.start = nil
        if let first = listed.first {
            writer.mediaSequence = first.segment.mediaSequence
            writer.discontinuitySequence = first.segment.discontinuitySequence + first.stretch
        }
        let sections = sections
        var before = listed.first?.stretch
        for (segment, stretch) in listed {
            var entry = entry(segment, sections)
            entry.isDiscontinuity =
                stretch != before || (entry.isDiscontinuity && segment.line != listed.first?.segment.line)
            entry.keys = entry.keys.map { key in
                guard key.ivText == nil, key.method.encryptsWholeSegments else { return key }
                return key.replacing(iv: InitializationVector(mediaSequence: segment.mediaSequence))
            }
            before = stretch
            writer.append(entry)
        }
        return writer.bytes
    }
}
