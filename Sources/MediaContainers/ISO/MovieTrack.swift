/// A track as the `moov` box of an initialization section describes it (ISO/IEC 14496-12, section 8.3).
public struct MovieTrack: Sendable, Equatable {
    /// The purpose of a track's samples, by its handler (section 8.4.3).
    public enum Kind: Sendable, Equatable {
        case video
        case audio
        /// Subtitles of any form.
        case text
        case other
    }

    /// The `track_ID`.
    public var number: Int
    /// Ticks per second; at least 1.
    public var timescale: UInt32
    /// The language (ISO 639-2); `nil` when it is undetermined.
    public var language: String?
    /// The purpose of its samples.
    public var kind: Kind
    /// The name of its handler, for people; `nil` without one.
    public var name: String?
    /// Its sample entries.
    public var descriptions: [SampleDescription]
    /// The first media time of the presentation, in ticks: samples before it prepare the decoder.
    public var presentationStart: Int64
    /// The delay of its presentation, by the empty edits before it, in ticks of the media.
    public var delay: Int64
    /// The number of samples that must be decoded before one to get it right, as a negative number: the distance of
    /// its group `roll`; 0 for none.
    public var rollDistance = 0
    /// The transformation of its pictures (section 6.2.2), nine numbers: a camera held upright turns them. Empty for
    /// pictures that are shown as they are coded.
    public var matrix: [UInt32] = []
    /// The default values for samples.
    var defaults: Defaults

    /// The fields of a `trex` box (section 8.8.3).
    struct Defaults: Sendable, Equatable {
        /// Counts from 1.
        var description = 1
        var duration: UInt32 = 0
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    /// Whether any sample entry is for encrypted samples.
    var isEncrypted: Bool { descriptions.contains { $0.entry.dropFirst(4).starts(with: "enc".utf8) } }
}

extension MovieTrack {
    /// Tracks that a movie may have.
    static let mostTracks = 64
    /// Sample entries that a track may have.
    private static let mostDescriptions = 32

    /// The tracks of an initialization section, or of a segment that brings its own.
    ///
    /// - Throws: `lacksConfiguration` without a movie, `malformed` when a track can't be read.
    public static func all(in bytes: [UInt8]) throws(SampleError) -> [MovieTrack] {
        guard let movie = Box.find(["moov"], bytes, in: bytes.indices) else { throw .lacksConfiguration }
        let boxes = Box.list(bytes, movie.content)
        let header = boxes.first { $0.name == "mvhd" }
        let scale = header.flatMap { clock(bytes, $0.content)?.0 } ?? 1000
        var tracks: [MovieTrack] = []
        for box in boxes where box.name == "trak" {
            guard tracks.count < mostTracks else { throw .tooLarge }
            tracks.append(try MovieTrack(box, bytes, movieScale: scale))
        }
        for extends in boxes where extends.name == "mvex" {
            for box in Box.list(bytes, extends.content) where box.name == "trex" {
                addDefaults(bytes, box.content, to: &tracks)
            }
        }
        return tracks
    }

    private init(_ box: Box, _ bytes: [UInt8], movieScale: UInt32) throws(SampleError) {
        guard let header = Box.find(["tkhd"], bytes, in: box.content)?.content,
            let number = Self.identifier(bytes, header),
            let media = Box.find(["mdia"], bytes, in: box.content)?.content,
            let clock = Box.find(["mdhd"], bytes, in: media).flatMap({ Self.clock(bytes, $0.content) })
        else { throw .malformed(offset: box.start, reason: "trak") }
        self.number = number
        (timescale, language) = clock
        (kind, name) = Self.handler(bytes, media)
        descriptions = Self.descriptions(bytes, in: media, kind: kind)
        let edits = Box.find(["edts", "elst"], bytes, in: box.content).map { Self.edits(bytes, $0.content) }
        presentationStart = edits?.start ?? 0
        delay = Ticks.scaled(edits?.delay ?? 0, from: movieScale, to: timescale)
        defaults = Defaults()
        rollDistance = Self.rollDistance(bytes, media)
        matrix = Self.matrix(bytes, header)
    }

    /// The transformation that changes nothing (section 6.2.2).
    static let identity: [UInt32] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

    /// The transformation matrix of a `tkhd` box. The width and the height follow it, and end the box.
    private static func matrix(_ bytes: [UInt8], _ header: Range<Int>) -> [UInt32] {
        guard header.count >= 84 else { return [] }
        let place = header.upperBound - 8 - MovieTrack.identity.count * 4
        var reader = NumberReader(bytes, place..<header.upperBound)
        let numbers = MovieTrack.identity.map { _ in UInt32(truncatingIfNeeded: reader.next(4) ?? 0) }
        return numbers == MovieTrack.identity ? [] : numbers
    }

    /// The first distance of the sample groups `roll` (section 10.1).
    private static func rollDistance(_ bytes: [UInt8], _ media: Range<Int>) -> Int {
        guard let table = Box.find(["minf", "stbl"], bytes, in: media)?.content else { return 0 }
        for box in Box.list(bytes, table) where box.name == "sgpd" {
            var reader = NumberReader(bytes, box.content)
            guard let word = reader.next(4), reader.next(4) == 0x726F_6C6C else { continue }
            // The usual length and, from version 2 on, the usual group; of groups of any length each tells its own.
            let length = word >> 24 == 0 ? 2 : reader.next(4) ?? 0
            if word >> 24 >= 2 { reader.skip(4) }
            guard let count = reader.next(4), count > 0 else { continue }
            if length == 0 { reader.skip(4) }
            if let distance = reader.next(2) { return min(0, Int(Int16(truncatingIfNeeded: distance))) }
        }
        return 0
    }

    private static func identifier(_ bytes: [UInt8], _ content: Range<Int>) -> Int? {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), reader.next(8) != nil, word >> 24 == 0 || reader.next(8) != nil
        else { return nil }
        return reader.next(4)
    }

    /// Timescale and language of an `mdhd` box (section 8.4.2), or the timescale of an `mvhd` box.
    private static func clock(_ bytes: [UInt8], _ content: Range<Int>) -> (UInt32, String?)? {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), reader.next(8) != nil, word >> 24 == 0 || reader.next(8) != nil,
            let scale = reader.next(4), scale > 0, reader.next(word >> 24 == 0 ? 4 : 8) != nil
        else { return nil }
        return (UInt32(truncatingIfNeeded: scale), reader.next(2).flatMap(LanguageCode.text))
    }

    private static func handler(_ bytes: [UInt8], _ media: Range<Int>) -> (Kind, name: String?) {
        guard let handler = Box.find(["hdlr"], bytes, in: media)?.content, handler.count >= 12 else {
            return (.other, nil)
        }
        let kind: Kind =
            switch String(decoding: bytes[handler.dropFirst(8).prefix(4)], as: UTF8.self) {
            case "vide": .video
            case "soun": .audio
            case "text", "subt", "sbtl", "clcp": .text
            default: .other
            }
        let name = String(decoding: bytes[handler.dropFirst(24)].prefix { $0 != 0 }, as: UTF8.self)
        return (kind, name.isEmpty ? nil : name)
    }

    private static func descriptions(
        _ bytes: [UInt8], in media: Range<Int>, kind: Kind
    ) -> [SampleDescription] {
        guard let list = Box.find(["minf", "stbl", "stsd"], bytes, in: media)?.content, list.count > 8 else {
            return []
        }
        return Box.list(bytes, list.dropFirst(8)).prefix(mostDescriptions).map { box in
            SampleDescription(reading: Array(bytes[box.start..<box.end]), kind)
        }
    }

    /// The first edit that is not empty determines the first media time; empty edits before it delay the
    /// presentation, in ticks of the movie (section 8.6.6).
    private static func edits(_ bytes: [UInt8], _ content: Range<Int>) -> (start: Int64, delay: Int64) {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), let count = reader.next(4) else { return (0, 0) }
        let size = word >> 24 == 1 ? 8 : 4
        var delay: Int64 = 0
        for _ in 0..<min(count, 16) {
            guard let length = reader.next(size), let raw = reader.next(size), reader.next(4) != nil else {
                break
            }
            let time = size == 8 ? Int64(raw) : Int64(Int32(truncatingIfNeeded: raw))
            if time >= 0 { return (min(time, 1 << 50), delay) }
            delay = min(delay + Int64(min(max(length, 0), 1 << 40)), 1 << 50)
        }
        return (0, 0)
    }

    private static func addDefaults(
        _ bytes: [UInt8], _ content: Range<Int>, to tracks: inout [MovieTrack]
    ) {
        var reader = NumberReader(bytes, content)
        guard reader.next(4) != nil, let id = reader.next(4), let description = reader.next(4),
            let duration = reader.next(4), let size = reader.next(4), let flags = reader.next(4)
        else { return }
        for index in tracks.indices where tracks[index].number == id {
            tracks[index].defaults = Defaults(
                description: description, duration: UInt32(duration), size: UInt32(size), flags: UInt32(flags)
            )
        }
    }
}

/// Languages as `mdhd` packs them: three letters of five bits (ISO/IEC 14496-12, section 8.4.2.3).
enum LanguageCode {
    /// The language; `nil` for `und`, and for invalid codes.
    static func text(_ code: Int) -> String? {
        let letters = [code >> 10 & 31, code >> 5 & 31, code & 31].map { UInt8($0 + 0x60) }
        guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        let text = String(decoding: letters, as: UTF8.self)
        return text == "und" ? nil : text
    }

    /// The code of a language; `und` for a text without three letters.
    static func code(_ text: String?) -> UInt16 {
        let letters = Array((text ?? "und").utf8)
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            return code("und")
        }
        return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }
}
