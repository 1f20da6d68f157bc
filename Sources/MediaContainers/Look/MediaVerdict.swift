/// The result of a look at the bytes of a segment or an initialization section.
public enum MediaVerdict: Sendable, Equatable {
    /// A player can find its way in these bytes.
    case media(MediaFormat)
    /// The bytes are of a known kind that is not a format of HLS.
    case foreign(ForeignFormat)
    /// No player can decode these bytes.
    case undecodable(MediaDefect)
    /// Nothing is recognized: damaged media, or an unknown kind.
    case unrecognized
}

/// The reason why bytes can't be decoded.
public enum MediaDefect: Error, Sendable, Equatable {
    /// The file is empty.
    case empty
    /// Every byte is zero.
    case zeros
    /// The synchronization of the transport stream is lost from this offset on.
    case syncLost(at: Int)
    /// No elementary stream of the transport stream begins a packet.
    case noPacketStart
    /// An MP4 box reaches beyond the end.
    case boxCut(String)
    /// An initialization section lacks the movie with its tracks.
    case noMovie
    /// A movie fragment has samples, and no media data follow.
    case noMediaData
    /// A movie fragment places samples beyond the end of the media data.
    case samplesBeyondData
    /// An MP4 box has an impossible value.
    case malformedBox(String)
    /// Too few of the bytes are audio frames.
    case framesLost
    /// A movie fragment has no initialization section.
    case noInitialization
    /// Media data have no movie fragment that describes them.
    case noFragment
    /// The segment is of this container, and its initialization section is MP4, or the other way round.
    case otherContainer(MediaFormat)
    /// All samples are of tracks that the initialization section does not have.
    case unknownTracks
    /// The samples are not of the codec that the initialization section names, by its name for people.
    case foreignSamples(String)
}

/// The expectation for a unit that is checked.
public struct MediaExpectation: Sendable, Equatable {
    /// The role of the unit in its rendition.
    public enum Role: Sendable, Equatable {
        /// A media segment.
        case segment
        /// An initialization section (EXT-X-MAP).
        case initialization
        /// A segment of a subtitle rendition.
        case subtitles
        /// A picture of an image playlist.
        case picture
    }

    /// The data in front of a segment, which tells how it is to be read.
    public enum Start: Sendable, Equatable {
        /// The data is not known.
        case unknown
        /// No section: the segment needs none.
        case nothing
        /// An initialization section of MP4, or a segment that has one. After a discontinuity (`isOld`), a segment
        /// may have another container.
        case movie(MovieOutline, isOld: Bool = false)
        /// An initialization section that is a transport stream.
        case packets
    }

    /// The role of the unit.
    public var role: Role
    /// Whether it may end inside a box: the byte range of an I-frame does (RFC 8216bis, section 4.4.3.6).
    public var mayEndInBox: Bool
    /// The data in front of a segment.
    public var start: Start

    /// An expectation.
    public init(_ role: Role, mayEndInBox: Bool = false, start: Start = .unknown) {
        (self.role, self.mayEndInBox, self.start) = (role, mayEndInBox, start)
    }
}
