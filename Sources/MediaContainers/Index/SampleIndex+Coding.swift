extension SampleIndex {
    /// The first byte of an encoded index. Counted up when the same segment gives other samples, or other bytes.
    public static let version: UInt8 = 3

    /// The index as bytes.
    public var encoded: [UInt8] {
        var writer = VarintWriter()
        writer.byte(Self.version)
        writer.byte(wraps ? 1 : 0)
        writer.unsigned(clearSize)
        writer.unsigned(UInt64(tracks.count))
        for track in tracks { track.encode(&writer) }
        return writer.bytes
    }

    /// Reads an encoded index.
    ///
    /// - Throws: `malformed` for other bytes, also for an index of another version.
    public init(decoding bytes: [UInt8]) throws(SampleError) {
        var reader = VarintReader(bytes)
        guard try reader.byte() == Self.version else { throw .malformed(offset: 0, reason: "index version") }
        wraps = try reader.byte() & 1 != 0
        clearSize = try reader.unsigned()
        tracks = []
        for _ in 0..<(try reader.number(upTo: MovieTrack.mostTracks)) {
            tracks.append(try Track(&reader))
        }
        guard reader.left == 0 else { throw .malformed(offset: bytes.count, reason: "index") }
    }
}

extension SampleIndex.Track {
    /// The marks of a sample before its size.
    private struct Marks {
        static let isSync: UInt8 = 1
        static let hasDuration: UInt8 = 2
        static let hasOffset: UInt8 = 4
        static let hasDescription: UInt8 = 8
        static let hasJump: UInt8 = 16
    }

    fileprivate func encode(_ writer: inout VarintWriter) {
        writer.unsigned(UInt64(number))
        writer.unsigned(UInt64(timescale))
        writer.data((language ?? "").utf8)
        writer.byte(kind.code)
        writer.signed(presentationStart)
        writer.signed(delay)
        writer.signed(Int64(rollDistance))
        writer.unsigned(UInt64(matrix.count))
        for number in matrix { writer.unsigned(UInt64(number)) }
        writer.unsigned(UInt64(descriptions.count))
        for description in descriptions { description.encode(&writer) }
        writer.unsigned(UInt64(samples.count))
        var last = MediaSample(decodeTime: 0, duration: 0, size: 0, isSync: true)
        for sample in samples {
            var marks: UInt8 = sample.isSync ? Marks.isSync : 0
            let jump = sample.decodeTime &- (last.decodeTime &+ Int64(last.duration))
            if jump != 0 { marks |= Marks.hasJump }
            if sample.duration != last.duration { marks |= Marks.hasDuration }
            if sample.presentationOffset != last.presentationOffset { marks |= Marks.hasOffset }
            if sample.description != last.description { marks |= Marks.hasDescription }
            writer.byte(marks)
            writer.unsigned(UInt64(sample.size))
            if jump != 0 { writer.signed(jump) }
            if marks & Marks.hasDuration != 0 { writer.unsigned(UInt64(sample.duration)) }
            if marks & Marks.hasOffset != 0 { writer.signed(Int64(sample.presentationOffset)) }
            if marks & Marks.hasDescription != 0 { writer.byte(sample.description) }
            last = sample
        }
    }

    fileprivate init(_ reader: inout VarintReader) throws(SampleError) {
        let number = try reader.number(upTo: Int(UInt32.max))
        let timescale = UInt32(try reader.number(upTo: Int(UInt32.max)))
        let language = String(decoding: try reader.data(), as: UTF8.self)
        let kind = MovieTrack.Kind(code: try reader.byte())
        let (start, delay) = (try reader.signed(), try reader.signed())
        let roll = Int(Int16(clamping: try reader.signed()))
        var matrix: [UInt32] = []
        for _ in 0..<(try reader.number(upTo: MovieTrack.identity.count)) {
            matrix.append(UInt32(try reader.number(upTo: Int(UInt32.max))))
        }
        var descriptions: [SampleDescription] = []
        for _ in 0..<(try reader.number(upTo: 255)) { descriptions.append(try SampleDescription(&reader)) }
        let samples = try Self.samples(&reader)
        let isSound =
            samples.allSatisfy { Int($0.description) < descriptions.count } && timescale > 0
            && [0, MovieTrack.identity.count].contains(matrix.count)
        guard isSound else { throw .malformed(offset: 0, reason: "index") }
        self.init(
            number: number, timescale: timescale, language: language.isEmpty ? nil : language, kind: kind,
            presentationStart: start, delay: delay, rollDistance: roll, matrix: matrix,
            descriptions: descriptions, samples: samples)
    }

    private static func samples(_ reader: inout VarintReader) throws(SampleError) -> [MediaSample] {
        // Each sample has two bytes at least.
        let count = try reader.number(upTo: reader.left / 2)
        var samples: [MediaSample] = []
        samples.reserveCapacity(count)
        var next = MediaSample(decodeTime: 0, duration: 0, size: 0, isSync: true)
        for _ in 0..<count {
            let marks = try reader.byte()
            next.isSync = marks & Marks.isSync != 0
            next.size = UInt32(try reader.number(upTo: Int(UInt32.max)))
            next.decodeTime &+= Int64(next.duration)
            if marks & Marks.hasJump != 0 { next.decodeTime &+= try reader.signed() }
            if marks & Marks.hasDuration != 0 {
                next.duration = UInt32(try reader.number(upTo: Int(UInt32.max)))
            }
            if marks & Marks.hasOffset != 0 {
                next.presentationOffset = Int32(truncatingIfNeeded: try reader.signed())
            }
            if marks & Marks.hasDescription != 0 { next.description = try reader.byte() }
            samples.append(next)
        }
        return samples
    }
}

extension SampleDescription {
    fileprivate func encode(_ writer: inout VarintWriter) {
        writer.data(entry)
        writer.data(codec.utf8)
        switch shape {
        case .video(let width, let height):
            writer.byte(1)
            writer.unsigned(UInt64(clamping: width))
            writer.unsigned(UInt64(clamping: height))
        case .audio(let rate, let channels):
            writer.byte(2)
            writer.unsigned(UInt64(clamping: rate))
            writer.unsigned(UInt64(clamping: channels))
        case .other: writer.byte(0)
        }
    }

    fileprivate init(_ reader: inout VarintReader) throws(SampleError) {
        let entry = try reader.data()
        let codec = String(decoding: try reader.data(), as: UTF8.self)
        let most = Int(Int32.max)
        let shape: Shape =
            switch try reader.byte() {
            case 1: .video(width: try reader.number(upTo: most), height: try reader.number(upTo: most))
            case 2: .audio(sampleRate: try reader.number(upTo: most), channels: try reader.number(upTo: most))
            default: .other
            }
        self.init(entry: entry, codec: codec, shape: shape)
    }
}

extension MovieTrack.Kind {
    fileprivate var code: UInt8 {
        switch self {
        case .other: 0
        case .video: 1
        case .audio: 2
        case .text: 3
        }
    }

    fileprivate init(code: UInt8) {
        self =
            switch code {
            case 1: .video
            case 2: .audio
            case 3: .text
            default: .other
            }
    }
}
