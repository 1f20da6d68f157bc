package import MediaContainers

extension MediaDefect {
    /// A clause for people, behind a colon.
    package var clause: String {
        switch self {
        case .empty: "the segment is empty"
        case .zeros: "all bytes are zero"
        case .syncLost(let offset):
            "the packets of the transport stream are out of step from byte \(offset) on"
        case .noPacketStart: "no picture or sound begins in the transport stream"
        case .boxCut(""): "it ends inside an MP4 box"
        case .boxCut(let name): "it ends inside the MP4 box \(name)"
        case .noMovie: "the initialization section describes no track"
        case .noMediaData: "the samples that the MP4 fragment lists are missing"
        case .samplesBeyondData: "the MP4 fragment lists samples beyond its end"
        case .malformedBox(let name): "the MP4 box \(name) is malformed"
        case .framesLost: "most of it is not frames of sound"
        case .noInitialization: "the MP4 fragment has no initialization section"
        case .noFragment: "no MP4 fragment describes the media data"
        case .otherContainer(.mp4): "it is MP4, and the initialization section is not"
        case .otherContainer(let format): "it is \(format.phrase), and the initialization section is MP4"
        case .unknownTracks: "the MP4 fragment is of a track that the initialization section lacks"
        case .foreignSamples("sound"): "its sound has another codec than the initialization section says"
        case .foreignSamples(let codec):
            "its samples are not \(codec), as the initialization section says"
        }
    }
}

extension MediaFormat {
    /// The kind with its article.
    fileprivate var phrase: String {
        switch self {
        case .transportStream: "a transport stream"
        case .mp4: "MP4"
        case .adts, .mpegAudio, .ac3, .eac3: "sound without a container"
        case .webVTT: "WebVTT"
        case .picture: "a picture"
        }
    }
}

extension ForeignFormat {
    /// The kind with its article, at the beginning of a clause.
    var phrase: String {
        switch self {
        case .png, .jpeg, .gif, .bmp, .webp: "a picture (\(rawValue))"
        case .html: "a web page"
        case .json, .text: "text"
        case .gzip, .zlib, .zip: "an archive (\(rawValue))"
        case .pdf: "a PDF document"
        default: rawValue
        }
    }
}
