package import MediaContainers

/// The result of the last look at a unit, as `unit.finding` of the catalog keeps it.
///
/// A unit that was stored by an older version has none until `verify` looks at it.
package enum UnitFinding: Int, Sendable {
    case transportStream = 1
    case mp4 = 2
    case adts = 3
    case mpegAudio = 4
    case ac3 = 5
    case eac3 = 6
    case webVTT = 7
    case picture = 8
    /// Its key is not there, so that only its length could be judged.
    case sealed = 20
    /// Its bytes are of a kind that is not known here.
    case unknown = 100
    /// Its bytes are stored as they came, and no player can decode them.
    case undecodable = 101
    /// It never was there (EXT-X-GAP), or was not to be had in time.
    case gap = 102
    /// A transport stream whose pictures are of another codec than those around it, or that has none.
    case otherPictures = 103
    /// A transport stream that is much shorter than the playlist says, unlike those around it.
    case short = 104
    /// It was stored, and its file is gone.
    case gone = 110
    /// It was stored, and its file has other bytes now.
    case damaged = 111

    /// Whether the bytes are there and of a kind that is known.
    package var isKnownMedia: Bool { rawValue < Self.sealed.rawValue }

    /// Whether the bytes are there and a person is to be told of them.
    var isNotableMedia: Bool {
        switch self {
        case .unknown, .undecodable, .otherPictures, .short: true
        default: false
        }
    }

    /// Why media that some player may decode are told all the same, for programs; `nil` where nothing tells.
    package var oddity: String? {
        switch self {
        case .otherPictures: "other-pictures"
        case .short: "short"
        default: nil
        }
    }

    /// Whether it is of something that was stored and is not as it should be.
    var isDamage: Bool { isOfAbsence || self == .undecodable }

    /// Whether it is of something that was stored and is gone, or has other bytes now. Of a unit that is still stored it
    /// says so of its object in a bucket, of which the store's folder has a sound copy.
    package var isOfAbsence: Bool { self == .gone || self == .damaged }

    package init(_ format: MediaFormat) {
        self =
            switch format {
            case .transportStream: .transportStream
            case .mp4: .mp4
            case .adts: .adts
            case .mpegAudio: .mpegAudio
            case .ac3: .ac3
            case .eac3: .eac3
            case .webVTT: .webVTT
            case .picture: .picture
            }
    }
}
