import MediaContainers
import TestSupport

/// Samples of tracks that are made by rule, with bytes that can be told from each other.
enum MadeMedia {
    static let video = SampleDescription(
        entry: SampleMedia.box("avc1", [UInt8](repeating: 0, count: 24) + [2, 128, 1, 104] + zeros(50)),
        codec: "avc1", shape: .video(width: 640, height: 360))
    static let audio = SampleDescription(
        entry: SampleMedia.box("mp4a", zeros(16) + [0, 2, 0, 16, 0, 0, 0, 0, 0xBB, 0x80, 0, 0]),
        codec: "mp4a", shape: .audio(sampleRate: 48000, channels: 2))

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Two seconds of pictures, of which some are shown in another order than they are decoded in.
    static func pictures(from time: Int64 = 0, count: Int = 50, seed: Int = 1) -> TrackSamples {
        let samples = (0..<count).map { index in
            MediaSample(
                decodeTime: time + Int64(index * 3600), presentationOffset: index % 3 == 0 ? 7200 : -1200,
                duration: 3600, size: UInt32(index % 25 == 0 ? 900 : 40 + (index * seed) % 60),
                isSync: index % 25 == 0)
        }
        return TrackSamples(
            number: 1, timescale: 90_000, descriptions: [video], samples: samples, bytes: bytes(samples, seed)
        )
    }

    /// Sound of so many frames.
    static func sound(from time: Int64 = 0, count: Int = 94, seed: Int = 1) -> TrackSamples {
        let samples = (0..<count).map { index in
            MediaSample(
                decodeTime: time + Int64(index * 1024), duration: 1024,
                size: UInt32(100 + (index * seed) % 9),
                isSync: true)
        }
        return TrackSamples(
            number: 2, timescale: 48_000, language: "deu", descriptions: [audio], samples: samples,
            bytes: bytes(samples, seed + 1000))
    }

    private static func bytes(_ samples: [MediaSample], _ seed: Int) -> [UInt8] {
        OriginResource.pattern(samples.reduce(0) { $0 + Int($1.size) }, seed: UInt64(seed))
    }

    static func index(_ samples: [TrackSamples], wraps: Bool = false) -> SampleIndex {
        let tracks = samples.map { samples in
            SampleIndex.Track(samples, kind: samples.timescale == 90_000 ? .video : .audio)
        }
        return SampleIndex(tracks: tracks, clearSize: 4711, wraps: wraps)
    }
}

/// A film of segments with pictures and sound, laid out as one file.
struct MadeFilm {
    let segments: [[TrackSamples]]
    let layout: MovieLayout

    init(_ segments: [[TrackSamples]], shifts: [Double]? = nil) throws {
        self.segments = segments
        let tracks = segments[0].enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
        var builder = MovieLayoutBuilder(tracks: tracks)
        for (number, samples) in segments.enumerated() {
            for (track, source) in MadeMedia.index(samples).tracks.enumerated() {
                try builder.add(source, to: track, segment: number, shift: shifts?[number] ?? 0)
            }
        }
        layout = try builder.layout(MovieInformation(title: "Film"))
    }

    /// Segments of two seconds.
    static func usual(_ count: Int = 3) throws -> MadeFilm {
        try MadeFilm(
            (0..<count).map { number in
                [
                    MadeMedia.pictures(from: Int64(number * 180_000), seed: number + 1),
                    MadeMedia.sound(from: Int64(number * 94 * 1024), seed: number + 1),
                ]
            })
    }

    /// Some bytes of the file.
    func bytes(_ range: Range<UInt64>) -> [UInt8] {
        var (bytes, offset) = ([UInt8](), range.lowerBound)
        while let piece = layout.piece(at: offset, upTo: range.upperBound) {
            let more = part(piece)
            bytes += more
            offset += UInt64(more.count)
        }
        return bytes
    }

    private func part(_ piece: MovieLayout.Piece) -> [UInt8] {
        switch piece {
        case .head(let range): return Array(layout.head[range])
        case .made(let range): return Array(layout.made(range))
        case .chunk(let chunk, let range):
            let bytes = segments[chunk.segment ?? 0][chunk.track].bytes
            return Array(bytes[chunk.sourceOffset + range.lowerBound..<chunk.sourceOffset + range.upperBound])
        }
    }

    var whole: [UInt8] { bytes(0..<layout.length) }
}

/// The tables of a progressive file, read anew: where each sample of a track lies.
struct ReadTables {
    let bytes: [UInt8]

    /// The content of the boxes at the end of a path.
    func boxes(_ path: [String], in range: Range<Int>? = nil) -> [Range<Int>] {
        var (offset, found) = (range?.lowerBound ?? 0, [Range<Int>]())
        while offset + 8 <= range?.upperBound ?? bytes.count {
            var (size, header) = (number(offset, 4), 8)
            if size == 1 { (size, header) = (number(offset + 8, 8), 16) }
            if String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self) == path[0] {
                let content = offset + header..<offset + size
                found += path.count == 1 ? [content] : boxes(Array(path.dropFirst()), in: content)
            }
            offset += size
        }
        return found
    }

    func number(_ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func table(_ name: String, of track: Int, columns: Int) -> [[Int]] {
        let trak = boxes(["moov", "trak"])[track]
        guard let box = boxes(["mdia", "minf", "stbl", name], in: trak).first else { return [] }
        return (0..<number(box.lowerBound + 4, 4)).map { row in
            (0..<columns).map { number(box.lowerBound + 8 + 4 * (row * columns + $0), 4) }
        }
    }

    /// The bytes of each sample of a track.
    func samples(of track: Int) -> [[UInt8]] {
        let offsets = table("stco", of: track, columns: 1).map { $0[0] }
        let runs = table("stsc", of: track, columns: 3)
        let trak = boxes(["moov", "trak"])[track]
        let sizes = boxes(["mdia", "minf", "stbl", "stsz"], in: trak)[0].lowerBound
        var samples: [[UInt8]] = []
        for (index, start) in offsets.enumerated() {
            var place = start
            let run = runs.last { $0[0] <= index + 1 } ?? []
            for _ in 0..<run[1] {
                let size = number(sizes + 12 + 4 * samples.count, 4)
                samples.append(Array(bytes[place..<place + size]))
                place += size
            }
        }
        return samples
    }

    /// When each sample of a track is decoded, in its ticks.
    func times(of track: Int) -> [Int] {
        var (times, time) = ([Int](), 0)
        for row in table("stts", of: track, columns: 2) {
            for _ in 0..<row[0] {
                times.append(time)
                time += row[1]
            }
        }
        return times
    }

    /// The edits of a track: duration and time of the media.
    func edits(of track: Int) -> [[Int]] {
        guard let box = boxes(["edts", "elst"], in: boxes(["moov", "trak"])[track]).first else { return [] }
        return (0..<number(box.lowerBound + 4, 4)).map { row in
            let place = box.lowerBound + 8 + 12 * row
            return [number(place, 4), Int(Int32(truncatingIfNeeded: number(place + 4, 4)))]
        }
    }
}

extension TrackSamples {
    /// The bytes of each sample.
    var each: [[UInt8]] {
        var offset = 0
        return samples.map { sample in
            defer { offset += Int(sample.size) }
            return Array(bytes[offset..<offset + Int(sample.size)])
        }
    }
}
