package import MediaContainers

/// The result of the last check of a unit, as `unit.finding` of the catalog stores it.
///
/// A unit of an older version has none until `verify` checks it.
package enum UnitFinding: Int, Sendable {
    case transportStream = 1
    case mp4 = 2
    case adts = 3
    case mpegAudio = 4
    case ac3 = 5
    case eac3 = 6
    case webVTT = 7
    case picture = 8
    /// The key is missing, so that only the length could be judged.
    case sealed = 20
    /// The bytes are of an unknown kind.
    case unknown = 100
    /// The bytes are stored as they arrived, and no player can decode them.
    case undecodable = 101
    /// The segment never existed (EXT-X-GAP), or could not be fetched in time.
    case gap = 102
    /// A transport stream whose pictures are of another codec than those around it, or that has none.
    case otherPictures = 103
    /// A transport stream that is much shorter than the playlist says, unlike those around it.
    case short = 104
    /// The file of the stored unit is missing.
    case gone = 110
    /// The file of the stored unit has other bytes now.
    case damaged = 111

    /// Whether the bytes are stored and of a known kind.
    package var isKnownMedia: Bool { rawValue < Self.sealed.rawValue }

    /// Whether the bytes are stored and should be reported.
    var isNotableMedia: Bool {
        switch self {
        case .unknown, .undecodable, .otherPictures, .short: true
        default: false
        }
    }

    /// The reason for which media that some players may decode are reported, for programs; `nil` without one.
    package var oddity: String? {
        switch self {
        case .otherPictures: "other-pictures"
        case .short: "short"
        default: nil
        }
    }

    /// Whether a stored unit is missing, damaged or undecodable.
    var isDamage: Bool { isOfAbsence || self == .undecodable }

    /// Whether a stored unit is missing or has other bytes now. For a unit whose state is still `stored`, this
    /// concerns its object in a bucket, of which the store's folder has a sound copy.
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
