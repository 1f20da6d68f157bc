import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport

@testable import AssetFiles

/// A track that no encoder made. It has a sample for each second.
enum MadeTrack: Hashable, Sendable {
    case picture(width: Int, type: String = "avc1")
    case sound(rate: Int, type: String = "mp4a")

    var timescale: Int {
        switch self {
        case .picture: 90_000
        case .sound(let rate, _): rate
        }
    }

    /// How its samples are coded. Pictures have a sequence and a picture parameter set.
    var description: SampleDescription {
        switch self {
        case .picture(let width, let type):
            let sets: [UInt8] = [0xE1, 0, 4, 0x67, 0x42, 0, 0x1E, 1, 0, 2, 0x68, 0xCE]
            let setup = SampleMedia.box("avcC", [1, 0x42, 0, 0x1E, 0xFF] + sets)
            let head = [UInt8](repeating: 0, count: 24) + ProtectedMovie.number(width, 2) + [0, 90]
            let entry = SampleMedia.box(type, head + [UInt8](repeating: 0, count: 50) + setup)
            return SampleDescription(
                entry: entry, codec: "\(type).42001E", shape: .video(width: width, height: 90))
        case .sound(let rate, let type):
            let head = [UInt8](repeating: 0, count: 16) + [0, 2, 0, 16, 0, 0, 0, 0]
            let entry = SampleMedia.box(type, head + ProtectedMovie.number(rate, 2) + [0, 0])
            return SampleDescription(
                entry: entry, codec: type, shape: .audio(sampleRate: rate, channels: 2))
        }
    }

    /// Its samples.
    ///
    /// - Parameter time: the time of the first one, in ticks of 90 kHz.
    func samples(number: Int = 1, from time: Int, seconds: Int, seed: Int = 1) -> TrackSamples {
        let contents = (0..<seconds).map { second -> [UInt8] in
            switch self {
            case .picture: SampleMedia.units([[0x65, 0x88, UInt8(seed), UInt8(second)]])
            case .sound: OriginResource.pattern(100 + second, seed: UInt64(1000 * seed + second))
            }
        }
        let samples = contents.enumerated().map { second, bytes in
            MediaSample(
                decodeTime: Int64(time * timescale / 90_000 + second * timescale),
                duration: UInt32(timescale), size: UInt32(bytes.count), isSync: true)
        }
        return TrackSamples(
            number: number, timescale: UInt32(timescale), descriptions: [description], samples: samples,
            bytes: contents.flatMap(\.self))
    }
}

/// A rendition of fragmented MP4 that no encoder made. The times of its samples are known to the tick.
struct MadeRendition {
    struct Segment {
        var tracks: [MadeTrack]
        /// The time of its first sample, in ticks of 90 kHz.
        var start: Int
        /// How long its samples are.
        var seconds = 4
        /// How long it is by the playlist.
        var listed = 4.0
        /// How much later its pictures begin, in ticks of 90 kHz.
        var delay = 0
        /// Tags before it.
        var tags = ""

        /// The samples of each track.
        func samples(seed: Int = 1) -> [TrackSamples] {
            tracks.enumerated().map { index, track in
                let isPicture = if case .picture = track { true } else { false }
                return track.samples(
                    number: index + 1, from: start + (isPicture ? delay : 0), seconds: seconds, seed: seed)
            }
        }

        var writer: FragmentWriter {
            let tracks = samples().enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
            return FragmentWriter(tracks: tracks)
        }
    }

    var name = "index"
    /// The media sequence number of the first segment.
    var first = 0
    var segments: [Segment]

    /// Its playlist and what that names. A segment with other tracks than the one before has its own section.
    var files: [(name: String, bytes: [UInt8])] {
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        var files: [(name: String, bytes: [UInt8])] = []
        var tracks: [MadeTrack] = []
        for (index, segment) in segments.enumerated() {
            if segment.tracks != tracks {
                tracks = segment.tracks
                files.append(("\(name)-section\(index).mp4", segment.writer.initializationSection))
                text += "#EXT-X-MAP:URI=\"\(name)-section\(index).mp4\"\n"
            }
            let bytes = segment.writer.segment(
                segment.samples(seed: index + 1), sequenceNumber: UInt32(index + 1))
            files.append(("\(name)-\(index).m4s", bytes))
            text += "\(segment.tags)#EXTINF:\(segment.listed),\n\(name)-\(index).m4s\n"
        }
        files.append(("\(name).m3u8", Array((text + "#EXT-X-ENDLIST\n").utf8)))
        return files
    }

    /// A rendition whose segments have the same tracks and follow each other.
    static func even(
        _ tracks: [MadeTrack], name: String = "index", from start: Int = 900_000, count: Int = 2
    ) -> MadeRendition {
        MadeRendition(
            name: name, segments: (0..<count).map { Segment(tracks: tracks, start: start + $0 * 360_000) })
    }
}

extension FilmFixture {
    /// Imports made renditions into a store that is stopped at the end.
    ///
    /// - Parameter master: the lines of a multivariant playlist; without any, the first rendition is
    ///   the stream.
    static func run(
        made renditions: [MadeRendition], master: [String] = [],
        _ body: (FilmFixture) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        for file in renditions.flatMap(\.files) { try folder.write(file.bytes, to: file.name) }
        var source = folder.file("\(renditions[0].name).m3u8")
        if !master.isEmpty {
            let text = "#EXTM3U\n" + master.joined(separator: "\n") + "\n"
            source = try folder.write(Array(text.utf8), to: "master.m3u8")
        }
        let path = source
        try await StoreFixture.run { fixture async throws in
            let token = try await fixture.store.imports.add(FilePath(path), name: "film").token
            try await body(FilmFixture(store: fixture.store, token: token, source: path))
        }
        _ = folder
    }

    /// A rendition with the samples of its segments.
    func indexed(_ name: String = "video") throws -> IndexedRendition? {
        guard let row = try row(name) else { return nil }
        return try IndexedRendition(row, of: token, in: store, skipping: .lost)
    }
}
