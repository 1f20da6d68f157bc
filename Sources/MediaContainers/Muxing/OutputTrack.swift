/// A track that is written into MP4.
public struct OutputTrack: Sendable, Equatable {
    /// The `track_ID`, from 1.
    public var number: UInt32
    /// Ticks per second of its media.
    public var timescale: UInt32
    /// The language (ISO 639-2), for example `deu`; `nil` when nobody knows.
    public var language: String?
    /// Its name for people; `nil` for none.
    public var name: String?
    /// The purpose of its samples.
    public var kind: MovieTrack.Kind
    /// Its sample entries.
    public var descriptions: [SampleDescription]
    /// Whether players take it when nobody chooses.
    public var isEnabled: Bool
    /// The tracks of one group, of which players take one; 0 for none.
    public var alternateGroup: UInt16

    /// A track that is written into MP4.
    public init(
        number: UInt32, timescale: UInt32, language: String? = nil, name: String? = nil,
        kind: MovieTrack.Kind, descriptions: [SampleDescription], isEnabled: Bool = true,
        alternateGroup: UInt16 = 0
    ) {
        (self.number, self.timescale, self.language, self.name) = (number, timescale, language, name)
        (self.kind, self.descriptions, self.isEnabled) = (kind, descriptions, isEnabled)
        self.alternateGroup = alternateGroup
    }

    /// The track of samples as they were read.
    public init(number: UInt32, of samples: TrackSamples) {
        let kind: MovieTrack.Kind =
            switch samples.descriptions.first?.shape {
            case .video: .video
            case .audio: .audio
            case .other, nil: .text
            }
        self.init(
            number: number, timescale: samples.timescale, language: samples.language, kind: kind,
            descriptions: samples.descriptions)
    }

    /// The size at which pictures are shown, in pixels: that of the first description, stretched as `pasp` says.
    var shownSize: (width: Int, height: Int) {
        guard case .video(let width, let height)? = descriptions.first?.shape,
            let entry = descriptions.first?.entry
        else { return (0, 0) }
        let head = SampleEntryHead(entry, .video)
        guard let ratio = head.boxes.first(where: { $0.name == "pasp" })?.content else {
            return (width, height)
        }
        var reader = NumberReader(entry, ratio)
        guard let across = reader.next(4), let down = reader.next(4), across > 0, down > 0,
            across < 1 << 20
        else { return (width, height) }
        return ((width * across + down / 2) / down, height)
    }
}
