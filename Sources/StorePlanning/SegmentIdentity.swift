package import HLSPlaylist

/// The identity of a segment from one load of a playlist to the next: its address may be signed anew each time.
package struct SegmentIdentity: Sendable, Hashable {
    /// Its whole address.
    package var address: String
    /// The last part of its path.
    package var name: Substring
    package var range: ByteRange?
    /// The time of its recording, in seconds since 1970; `nil` if it is unknown.
    package var date: Double?
    package var duration: Double

    package init(_ segment: MediaSegment, base: URIReference, date: Double?) {
        let reference = URIReference(segment.uri).resolved(against: base)
        address = reference.description
        name = reference.path.split(separator: "/").last ?? ""
        range = segment.byteRange
        duration = segment.duration
        self.date = date
    }

    /// Whether it may be the same segment as the former one with its number.
    package func isLike(_ other: SegmentIdentity) -> Bool {
        guard name == other.name, range == other.range else { return false }
        guard let date, let otherDate = other.date else { return true }
        return abs(date - otherDate) < max(duration, 1)
    }

    /// The segments of a playlist, each with its date as far as one before it has EXT-X-PROGRAM-DATE-TIME.
    package static func all(of playlist: MediaPlaylist, base: URIReference) -> [SegmentIdentity] {
        var date: Double?
        return playlist.segments.map { segment in
            if let text = segment.programDateTime { date = DateTime.seconds(parsing: text) ?? date }
            defer { date = date.map { $0 + segment.duration } }
            return SegmentIdentity(segment, base: base, date: date)
        }
    }
}

extension MediaPlaylist {
    /// The end of its last segment, by the last EXT-X-PROGRAM-DATE-TIME, in seconds since 1970; `nil` without one.
    package var endDate: Double? {
        guard let index = segments.lastIndex(where: { $0.programDateTime != nil }),
            let date = segments[index].programDateTime.flatMap({ DateTime.seconds(parsing: $0) })
        else { return nil }
        return date + segments[index...].reduce(0) { $0 + $1.duration }
    }
}
