/// The tables of a transport stream (ISO/IEC 13818-1, section 2.4.4).
enum ProgramTable {
    /// The packet identifiers of the maps that an association table names.
    static func maps(_ section: [UInt8]) -> [Int] {
        guard section[0] == 0 else { return [] }
        return stride(from: 8, through: section.count - 8, by: 4).compactMap { entry in
            let isNetwork = section[entry] == 0 && section[entry + 1] == 0
            return isNetwork ? nil : Int(section[entry + 2] & 0x1F) << 8 | Int(section[entry + 3])
        }
    }
}

/// A program map: the streams of a program.
struct ProgramMap: Sendable, Equatable {
    /// One stream of the program.
    struct Entry: Sendable, Equatable {
        let stream: Int
        let kind: StreamKind
        var language: String?
    }

    private(set) var entries: [Entry] = []

    /// More streams than a segment has.
    private static let mostEntries = 64

    /// Reads a section; `nil` for another table, or an invalid one.
    init?(_ section: [UInt8]) {
        guard section[0] == 2, section.count >= 16 else { return nil }
        func length(_ place: Int) -> Int { Int(section[place] & 0xF) << 8 | Int(section[place + 1]) }
        var place = 12 + length(10)
        while place + 5 <= section.count - 4, entries.count < Self.mostEntries {
            let end = place + 5 + length(place + 3)
            guard end <= section.count - 4 else { return nil }
            let descriptors = Descriptors(section[place + 5..<end])
            let stream = Int(section[place + 1] & 0x1F) << 8 | Int(section[place + 2])
            entries.append(
                Entry(
                    stream: stream, kind: StreamKind(type: section[place], descriptors),
                    language: descriptors.language))
            place = end
        }
    }
}

extension ProgramMap {
    /// The streams of pictures or sound that have no samples.
    var leftOut: [TransportSamples.LeftOut] {
        entries.compactMap { entry in
            guard case .unsupported(let codec, let isPictures) = entry.kind else { return nil }
            return .init(number: entry.stream, codec: codec, isPictures: isPictures)
        }
    }

    /// The first of them that no other stream of pictures, or of sound, can stand in for.
    var irreplaceable: TransportSamples.LeftOut? {
        leftOut.first { lost in
            !entries.contains { lost.isPictures ? $0.kind.isPictures : $0.kind.isSound }
        }
    }
}

/// The descriptors of a stream (section 2.6).
struct Descriptors {
    private var contents: [(tag: UInt8, content: ArraySlice<UInt8>)] = []

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.count >= 2 {
            let (tag, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
            contents.append((tag, rest.dropFirst(2).prefix(length)))
            rest = rest.dropFirst(2 + length)
        }
    }

    subscript(tag: UInt8) -> ArraySlice<UInt8>? { contents.first { $0.tag == tag }?.content }

    /// The name in a registration descriptor.
    var registration: String? {
        self[5].flatMap { $0.count >= 4 ? String(decoding: $0.prefix(4), as: UTF8.self) : nil }
    }

    /// The language of sound or subtitles (ISO 639-2).
    var language: String? {
        guard let code = self[0x0A]?.prefix(3), code.count == 3,
            code.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) })
        else { return nil }
        return String(decoding: code.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// The channel configuration of Opus, in an extension descriptor.
    var opusChannels: Int? {
        contents.first { $0.tag == 0x7F && $0.content.first == 0x80 && $0.content.count >= 2 }
            .map { Int($0.content[$0.content.startIndex + 1]) }
    }
}

/// The content of a stream of a program.
enum StreamKind: Sendable, Equatable {
    case avc
    case hevc(DolbyVision?)
    case adts
    case latm
    case mpegSound
    case dolby
    case opus(OpusStream)
    /// Timed ID3 tags.
    case metadata
    /// Samples that are encrypted one by one.
    case encrypted
    /// Pictures or sound that have no samples here, by name.
    case unsupported(String, isPictures: Bool)
    /// Neither video nor audio.
    case other

    /// Whether its samples are pictures.
    var isPictures: Bool {
        switch self {
        case .avc, .hevc: true
        default: false
        }
    }

    /// Whether its samples are frames of sound.
    var isSound: Bool {
        switch self {
        case .adts, .latm, .mpegSound, .dolby, .opus: true
        default: false
        }
    }

    /// Reads the type of a stream (table 2-34) and its descriptors.
    init(type: UInt8, _ descriptors: Descriptors) {
        switch type {
        case 0x1B: self = .avc
        case 0x24: self = .hevc(descriptors[0xB0].flatMap(DolbyVision.init))
        case 0x0F: self = .adts
        case 0x11: self = .latm
        case 0x03, 0x04: self = .mpegSound
        case 0x81, 0x84, 0x87: self = .dolby
        case 0x15: self = .metadata
        case 0xDB, 0xCF, 0xC1, 0xC2: self = .encrypted
        case 0x06: self.init(private: descriptors)
        default:
            let pictures = Self.pictures[type].map { StreamKind.unsupported($0, isPictures: true) }
            self = pictures ?? Self.sounds[type].map { .unsupported($0, isPictures: false) } ?? .other
        }
    }

    private static let pictures: [UInt8: String] = [
        0x01: "MPEG-1 video", 0x02: "MPEG-2 video", 0x10: "MPEG-4 video", 0x21: "JPEG 2000", 0x33: "H.266",
        0x42: "AVS", 0xD1: "Dirac", 0xD2: "AVS2", 0xD4: "AVS3", 0xEA: "VC-1",
    ]
    private static let sounds: [UInt8: String] = [
        0x82: "DTS", 0x83: "TrueHD", 0x85: "DTS-HD", 0x8A: "DTS",
    ]

    /// Descriptors identify private data.
    private init(private descriptors: Descriptors) {
        switch descriptors.registration {
        case "AC-3", "EAC3": self = .dolby
        case "HEVC": self = .hevc(descriptors[0xB0].flatMap(DolbyVision.init))
        case "DOVI": self = .hevc(descriptors[0xB0].flatMap(DolbyVision.init))
        case "Opus":
            let channels = descriptors.opusChannels ?? 2
            self =
                OpusStream(configuration: channels).map { .opus($0) }
                ?? .unsupported("Opus", isPictures: false)
        case "ID3 ": self = .metadata
        case "AV01": self = .unsupported("AV1", isPictures: true)
        case "DTS1", "DTS2", "DTS3": self = .unsupported("DTS", isPictures: false)
        case "BSSD": self = .unsupported("SMPTE 302M", isPictures: false)
        default: self.init(dvb: descriptors)
        }
    }

    /// ETSI EN 300 468, annexes D, G and H.
    private init(dvb descriptors: Descriptors) {
        if descriptors[0x6A] != nil || descriptors[0x7A] != nil {
            self = .dolby
        } else if descriptors[0x7C] != nil {
            self = .latm
        } else if descriptors[0x7B] != nil {
            self = .unsupported("DTS", isPictures: false)
        } else if descriptors[0x7F]?.first == 0x15 {
            self = .unsupported("AC-4", isPictures: false)
        } else {
            self = .other
        }
    }
}
