package import AssetStore
internal import HLSPlaylist
internal import MediaContainers

/// A whole asset as one file that is not stored: its bytes are made of the stored segments as they are read.
package final class AssetFile: Sendable {
    /// A stretch of a transport stream: a unit of the rendition in the clear.
    struct Stretch: Sendable {
        var offset: UInt64
        var unit: UnitName
        var length: Int
        /// The ticks of 90 kHz by which its clock is shifted, so that it continues the stretch before.
        var shift: Int64 = 0
    }

    /// The source of bytes.
    enum Content: Sendable {
        /// A laid-out movie.
        case movie(MovieLayout, Media)
        /// Units one after the other.
        case packets([Stretch])
        /// A transport stream that is made of samples.
        case transport(TransportLayout, Media)
    }

    /// The segments of a file and its tracks.
    struct Media: Sendable {
        /// The rendition and the place of each segment, in the order of the numbers by which chunks refer to
        /// segments.
        var segments: [(source: Int, place: Int)]
        /// The track of a rendition for each track of the file.
        var tracks: [Track]
        /// The number of bytes of each segment's samples, by track. With it a reader checks that it gets the same
        /// samples again.
        var sizes: [[Int]]
    }

    /// A track among those of one kind in a rendition; it stays the same if its number changes.
    struct Track: Sendable {
        var source: Int
        var isSound: Bool
        var ordinal: Int

        /// The track of a segment.
        func samples(_ segment: SegmentSamples) -> TrackSamples? {
            place(among: segment.tracks.map(\.kind)).map { segment.tracks[$0] }
        }

        /// The index of the track in a segment that has tracks of these kinds; `nil` if it has no such track.
        func place(among kinds: [MovieTrack.Kind]) -> Int? {
            let alike = kinds.indices.filter { kinds[$0] == (isSound ? .audio : .video) }
            return alike.indices.contains(ordinal) ? alike[ordinal] : nil
        }
    }

    /// The asset.
    package let token: AssetToken
    /// The requested tracks of the file.
    package let choice: AssetFileChoice
    /// Its length in bytes.
    package let length: UInt64
    /// A strong validator of the file's bytes.
    package let entityTag: String
    /// How long it plays, in seconds.
    package let duration: Double
    /// The bytes before its samples.
    package let headSize: Int
    let content: Content
    let sources: [IndexedRendition]

    init(
        _ token: AssetToken, _ choice: AssetFileChoice, content: Content, sources: [IndexedRendition],
        length: UInt64, duration: Double, entityTag: String
    ) {
        (self.token, self.choice, self.content, self.sources) = (token, choice, content, sources)
        (self.length, self.duration, self.entityTag) = (length, duration, entityTag)
        if case .movie(let layout, _) = content { headSize = layout.head.count } else { headSize = 0 }
    }
}
