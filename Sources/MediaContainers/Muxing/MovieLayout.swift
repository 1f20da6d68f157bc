/// The layout of a progressive MP4 file that is not stored: the source of each of its bytes.
public struct MovieLayout: Sendable {
    /// Samples that lie together in the file and in their source.
    public struct Chunk: Sendable, Equatable {
        /// Its offset in the file.
        public internal(set) var offset: UInt64
        /// Its length in bytes.
        public internal(set) var length: Int
        /// The index of its track among those of the file.
        public internal(set) var track: Int
        /// The segment that it is from, by the number that the builder was given; `nil` for samples made for the file.
        public internal(set) var segment: Int?
        /// The offset of its bytes among those of all samples of the track in the segment.
        public internal(set) var sourceOffset: Int
        /// The decoding time, in seconds.
        var time: Double
        /// How many samples it has.
        var count: UInt32
        /// The number of its sample description, from 1.
        var description: UInt32
    }

    /// The source of some bytes of the file.
    public enum Piece: Sendable, Equatable {
        /// From `head`, at these places.
        case head(Range<Int>)
        /// From a segment: from these places among the bytes of a chunk.
        case chunk(Chunk, Range<Int>)
        /// From `made`, at these places.
        case made(Range<Int>)
    }

    /// All that stands before the samples: `ftyp`, `moov`, and the header of `mdat`.
    public let head: [UInt8]
    /// The chunks in the order of the file.
    public let chunks: [Chunk]
    /// The samples that were made for the file, such as subtitles.
    let made: [UInt8]
    /// The length of the file in bytes.
    public let length: UInt64
    /// The tracks of the file.
    public let tracks: [OutputTrack]
    /// How long it plays, in seconds.
    public let duration: Double

    /// The next bytes of the file from an offset on; `nil` at its end.
    ///
    /// - Parameters:
    ///   - offset: the number of bytes before the first one.
    ///   - end: the number of bytes before the end of the piece, at most.
    public func piece(at offset: UInt64, upTo end: UInt64) -> Piece? {
        let end = min(end, length)
        guard offset < end else { return nil }
        if offset < UInt64(head.count) { return .head(Int(offset)..<Int(min(end, UInt64(head.count)))) }
        let chunk = chunks[index(at: offset)]
        let start = Int(offset - chunk.offset)
        let range = start..<min(chunk.length, start + Int(end - offset))
        guard chunk.segment == nil else { return .chunk(chunk, range) }
        return .made(chunk.sourceOffset + range.lowerBound..<chunk.sourceOffset + range.upperBound)
    }

    /// Bytes of samples that were made for the file.
    public func made(_ range: Range<Int>) -> ArraySlice<UInt8> { made[range] }

    private func index(at offset: UInt64) -> Int {
        var (low, high) = (0, chunks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if chunks[middle].offset <= offset { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
