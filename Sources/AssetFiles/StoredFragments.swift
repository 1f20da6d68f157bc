package import AssetStore
internal import MediaContainers

/// The places of the samples in the file of a fragmented MP4 segment. The samples are sent from the file.
struct StoredFragments: Sendable {
    /// The samples of one track.
    private struct Track {
        var kind: MovieTrack.Kind
        var size: Int
        /// The stretches of the file, by where they begin among the bytes of the track.
        var runs: [(start: Int, place: Range<Int>)]
    }

    private let file: OpenedFile
    private let tracks: [Track]

    init(_ file: OpenedFile, _ fragments: SegmentFragments) {
        self.file = file
        tracks = fragments.tracks.map { track in
            Track(
                kind: MovieTrack.Kind(track.track.descriptions.first?.shape), size: track.size,
                runs: track.runs)
        }
    }

    /// The number of bytes of each track.
    var sizes: [Int] { tracks.map(\.size) }

    /// The stretch of the file that begins with a byte of a track, at most `count` bytes long; `nil` if the track has
    /// fewer bytes.
    func stretch(of track: AssetFile.Track, at offset: Int, count: Int) -> AssetFileBytes? {
        guard let index = track.place(among: tracks.map(\.kind)), offset + count <= tracks[index].size,
            let run = tracks[index].runs.last(where: { $0.start <= offset })
        else { return nil }
        let place = run.place.lowerBound + offset - run.start
        return .file(file, offset: place, count: min(count, run.place.upperBound - place))
    }
}

/// Bytes of a file that is made of an asset.
package enum AssetFileBytes: Sendable {
    /// Bytes in memory; empty at the end of the file.
    case memory(ArraySlice<UInt8>)
    /// A stretch of a stored file, from an offset on.
    case file(OpenedFile, offset: Int, count: Int)

    /// Reads the bytes. Blocks. If the file ends early, there are fewer of them, or none.
    package func read() throws(StoreError) -> ArraySlice<UInt8> {
        switch self {
        case .memory(let bytes): bytes
        case .file(let file, let offset, let count): try file.bytes(at: offset, count: count)[...]
        }
    }
}

/// The bytes of a stored file that is not encrypted.
private struct FileBytes: MediaBytes {
    let file: OpenedFile

    var count: Int { file.size }

    func read(at offset: Int, count: Int) throws(SampleError) -> [UInt8] {
        do throws(StoreError) {
            return try file.bytes(at: offset, count: count)
        } catch {
            throw .unknownContainer
        }
    }
}

extension SegmentFragments {
    /// Reads the fragments of a file, but not its samples.
    init(_ file: OpenedFile, movie: [MovieTrack], times: [Int: Int64]) throws(SampleError) {
        try self.init(reading: FileBytes(file: file), movie: movie, times: times)
    }
}
