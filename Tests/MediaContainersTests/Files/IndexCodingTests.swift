import MediaContainers
import Testing

@Suite("The coding of an index") struct IndexCodingTests {
    private static let other = SampleDescription(entry: [1, 2, 3], codec: "wvtt", shape: .other)

    private func made() -> SampleIndex { MadeMedia.index([MadeMedia.sound(count: 6)]) }

    @Test("keeps the description of each sample, where it changes and where it stays")
    func descriptions() throws {
        var index = made()
        index.tracks[0].descriptions += [MadeMedia.video, Self.other]
        for (place, description) in [0, 1, 1, 2, 0, 0].enumerated() {
            index.tracks[0].samples[place].description = UInt8(description)
        }
        let read = try SampleIndex(decoding: index.encoded)
        #expect(read == index && read.tracks[0].samples.map(\.description) == [0, 1, 1, 2, 0, 0])
        index.tracks[0].samples[0].description = 2
        #expect(try SampleIndex(decoding: index.encoded) == index)
    }

    @Test("keeps what each sample has of its own, and what it shares with the one before")
    func samples() throws {
        var index = made()
        index.tracks[0].samples = [
            MediaSample(decodeTime: -5, duration: 0, size: 0, isSync: false),
            MediaSample(decodeTime: -5, presentationOffset: .max, duration: .max, size: .max, isSync: true),
            MediaSample(
                decodeTime: -5 + Int64(UInt32.max), presentationOffset: .max, duration: 9, size: 1,
                isSync: true),
            MediaSample(decodeTime: .max, presentationOffset: -1, duration: 9, size: 127, isSync: false),
            MediaSample(decodeTime: .min, presentationOffset: 0, duration: 9, size: 128, isSync: false),
        ]
        #expect(try SampleIndex(decoding: index.encoded) == index)
    }

    @Test("keeps all facts of a track", arguments: [.video, .audio, .text, .other] as [MovieTrack.Kind])
    func facts(kind: MovieTrack.Kind) throws {
        var index = made()
        index.tracks[0].kind = kind
        index.tracks[0].number = Int(UInt32.max)
        index.tracks[0].timescale = .max
        index.tracks[0].language = kind == .other ? nil : "deu"
        index.tracks[0].presentationStart = -1
        index.tracks[0].delay = .max
        index.tracks[0].rollDistance = -32_768
        index.tracks[0].matrix = [0, 1, 2, 3, 4, 5, 6, 7, .max]
        index.clearSize = .max
        index.wraps = kind == .video
        #expect(try SampleIndex(decoding: index.encoded) == index)
    }

    @Test("is refused with a timescale of 0")
    func timescale() throws {
        var index = made()
        index.tracks[0].timescale = 1
        #expect(try SampleIndex(decoding: index.encoded) == index)
        index.tracks[0].timescale = 0
        #expect(throws: SampleError.malformed(offset: 0, reason: "index")) {
            try SampleIndex(decoding: index.encoded)
        }
    }

    @Test("is refused where a sample has a description that the track does not have")
    func unknownDescription() throws {
        var index = made()
        index.tracks[0].samples[3].description = 1
        #expect(throws: SampleError.malformed(offset: 0, reason: "index")) {
            try SampleIndex(decoding: index.encoded)
        }
        index.tracks[0].descriptions.append(Self.other)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        index.tracks[0].samples = []
        index.tracks[0].descriptions = []
        #expect(try SampleIndex(decoding: index.encoded) == index)
    }

    @Test("has a transformation of nine numbers, or none", arguments: 0...10)
    func matrix(count: Int) throws {
        var index = made()
        index.tracks[0].matrix = [UInt32](repeating: 7, count: count)
        if count == 0 || count == 9 {
            #expect(try SampleIndex(decoding: index.encoded) == index)
        } else {
            #expect(throws: SampleError.self) { try SampleIndex(decoding: index.encoded) }
        }
    }

    @Test("has 64 tracks and 255 descriptions at most")
    func most() throws {
        var index = made()
        index.tracks = [SampleIndex.Track](repeating: index.tracks[0], count: 64)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        index.tracks.append(index.tracks[0])
        #expect(throws: SampleError.self) { try SampleIndex(decoding: index.encoded) }
        index.tracks.removeLast(64)
        index.tracks[0].descriptions = [SampleDescription](repeating: Self.other, count: 255)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        index.tracks[0].descriptions.append(Self.other)
        #expect(throws: SampleError.self) { try SampleIndex(decoding: index.encoded) }
    }
}
