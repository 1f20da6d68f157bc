/// The facts of an initialization section that the check of its segments needs: its tracks, and the kinds of their
/// samples.
public struct MovieOutline: Sendable, Equatable {
    /// One track (ISO/IEC 14496-12, section 8.3).
    struct Track: Sendable, Equatable {
        var id: Int
        /// The kinds of samples, by the number of their description, which counts from 1.
        var codings: [SampleCoding] = []
        /// The description for samples whose fragment names none.
        var usualDescription = 1
        /// The default size of samples.
        var usualSize: Int?

        /// The kind of the samples of a fragment with this description, or with none.
        func coding(_ description: Int?) -> SampleCoding {
            let index = (description ?? usualDescription) - 1
            return codings.indices.contains(index) ? codings[index] : .other
        }
    }

    /// All tracks; each has its identifier.
    let tracks: [Track]

    func track(_ id: Int) -> Track? { tracks.first { $0.id == id } }

    /// Finds the outline in an initialization section, or in a segment that brings its own.
    ///
    /// - Returns: `nil` when there is no movie, or one that does not tell its tracks.
    public static func read<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MovieOutline? {
        var window = ByteWindow(source, pieceSize: 1024)
        var offset = 0
        while let box = try Box(&window, at: offset), box.end <= source.count {
            if box.name == "moov", box.content.count <= BoxLook.largestHeader {
                return MovieOutline(
                    movie: try source.read(at: box.content.lowerBound, count: box.content.count))
            }
            offset = box.end
        }
        return nil
    }

    /// Reads the content of a `moov` box; `nil` where a track does not tell its identifier.
    init?(movie bytes: [UInt8]) {
        let boxes = Box.list(bytes, bytes.indices)
        var tracks: [Track] = []
        for box in boxes where box.name == "trak" {
            guard let track = Self.track(bytes, box.content) else { return nil }
            tracks.append(track)
        }
        guard !tracks.isEmpty else { return nil }
        for extends in boxes where extends.name == "mvex" {
            for box in Box.list(bytes, extends.content) where box.name == "trex" {
                Self.addDefaults(bytes, box.content, to: &tracks)
            }
        }
        self.tracks = tracks
    }

    private static func track(_ bytes: [UInt8], _ content: Range<Int>) -> Track? {
        guard let header = Box.find(["tkhd"], bytes, in: content)?.content else { return nil }
        var reader = NumberReader(bytes, header)
        guard let version = reader.next(1), reader.next(3) != nil,
            reader.next(8) != nil, version == 0 || reader.next(8) != nil, let id = reader.next(4)
        else { return nil }
        var track = Track(id: id)
        if let list = Box.find(["mdia", "minf", "stbl", "stsd"], bytes, in: content)?.content, list.count > 8
        {
            let handler = Box.find(["mdia", "hdlr"], bytes, in: content)?.content.lowerBound
            let isSound =
                handler.map { bytes.dropFirst($0 + 8).prefix(4).elementsEqual("soun".utf8) } ?? false
            track.codings = Box.list(bytes, list.dropFirst(8)).map {
                SampleCoding($0, bytes, isSound: isSound)
            }
        }
        return track
    }

    /// Reads a `trex` box (section 8.8.3).
    private static func addDefaults(_ bytes: [UInt8], _ content: Range<Int>, to tracks: inout [Track]) {
        var reader = NumberReader(bytes, content)
        guard reader.next(4) != nil, let id = reader.next(4), let description = reader.next(4),
            reader.next(4) != nil, let size = reader.next(4)
        else { return }
        for index in tracks.indices where tracks[index].id == id {
            tracks[index].usualDescription = description
            tracks[index].usualSize = size
        }
    }
}

/// The kind of a track's samples, as far as a look can tell them from others.
enum SampleCoding: Sendable, Equatable {
    /// H.264, with the length of the numbers that say how long its units are.
    case avc(lengthSize: Int)
    /// H.265.
    case hevc(lengthSize: Int)
    case flac
    case opus
    /// AC-3 or E-AC-3.
    case dolby
    /// Other audio.
    case sound
    /// A kind that can't be told from others, or is encrypted.
    case other

    /// The name for people.
    var name: String {
        switch self {
        case .avc: "H.264"
        case .hevc: "H.265"
        case .flac: "FLAC"
        case .opus: "Opus"
        case .dolby: "Dolby Digital"
        case .sound: "sound"
        case .other: "media"
        }
    }

    /// Reads a sample entry (ISO/IEC 14496-12, section 8.5.2; ISO/IEC 14496-15).
    init(_ entry: Box, _ bytes: [UInt8], isSound: Bool) {
        let boxes = Box.list(bytes, entry.content.dropFirst(isSound ? 28 : 78))
        let isProtected = entry.name.hasPrefix("enc") || boxes.contains { $0.name == "sinf" }
        func lengthSize(_ name: String, at place: Int) -> Int? {
            guard let box = boxes.first(where: { $0.name == name }), box.content.count > place else {
                return nil
            }
            return Int(bytes[box.content.lowerBound + place] & 3) + 1
        }
        guard !isProtected else {
            self = .other
            return
        }
        switch entry.name {
        case "avc1", "avc3", "dva1", "dvav":
            self = lengthSize("avcC", at: 4).map { .avc(lengthSize: $0) } ?? .other
        case "hvc1", "hev1", "dvh1", "dvhe":
            self = lengthSize("hvcC", at: 21).map { .hevc(lengthSize: $0) } ?? .other
        case "fLaC": self = .flac
        case "Opus": self = .opus
        case "ac-3", "ec-3": self = .dolby
        default: self = isSound ? .sound : .other
        }
    }
}

extension Box {
    /// The boxes in a range, in order; the list ends at the first invalid box.
    static func list(_ bytes: [UInt8], _ range: Range<Int>) -> [Box] {
        var window = ByteWindow(ArrayBytes(bytes))
        var (offset, boxes) = (range.lowerBound, [Box]())
        while offset + 8 <= range.upperBound, let box = Box(&window, at: offset), box.end <= range.upperBound
        {
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }

    /// The first box at the end of a path of types.
    static func find(_ path: [String], _ bytes: [UInt8], in range: Range<Int>) -> Box? {
        guard let name = path.first, let box = list(bytes, range).first(where: { $0.name == name }) else {
            return nil
        }
        return path.count == 1 ? box : find(Array(path.dropFirst()), bytes, in: box.content)
    }
}
