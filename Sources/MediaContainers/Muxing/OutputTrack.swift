/// A track to be written into MP4.
public struct OutputTrack: Sendable, Equatable {
    /// The `track_ID`, from 1.
    public var number: UInt32
    /// Ticks per second of its media.
    public var timescale: UInt32
    /// The language (ISO 639-2), for example `deu`; `nil` if unknown.
    public var language: String?
    /// Its display name; `nil` without one.
    public var name: String?
    /// The purpose of its samples.
    public var kind: MovieTrack.Kind
    /// Its sample entries.
    public var descriptions: [SampleDescription]
    /// Whether players select it by default.
    public var isEnabled: Bool
    /// The number of its group, from which players select one track; 0 for none.
    public var alternateGroup: UInt16
    /// The number of samples that must be decoded before one to get it right, as a negative number; 0 if unknown.
    public var rollDistance = 0
    /// The transformation of its pictures, nine numbers; empty for none.
    public var matrix: [UInt32] = []
    /// The first media time of the presentation, in ticks: samples before it prepare the decoder. Only for fragments.
    public var presentationStart: Int64 = 0
    /// The delay of its presentation, in ticks. Only for fragments.
    public var delay: Int64 = 0

    /// Makes a track to be written into MP4.
    public init(
        number: UInt32, timescale: UInt32, language: String? = nil, name: String? = nil,
        kind: MovieTrack.Kind, descriptions: [SampleDescription], isEnabled: Bool = true,
        alternateGroup: UInt16 = 0
    ) {
        (self.number, self.timescale, self.language, self.name) = (number, timescale, language, name)
        (self.kind, self.descriptions, self.isEnabled) = (kind, descriptions, isEnabled)
        self.alternateGroup = alternateGroup
    }

    /// The track for samples that were read.
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

    /// The distance of its sample group `roll`: that of the source, else the 80 ms that Opus takes (Encapsulation of Opus in ISO
    /// Base Media File Format, section 4.3.6.2).
    private var distance: Int {
        let isOpus = descriptions.first?.codec == "opus"
        return rollDistance == 0 && isOpus ? -4 : rollDistance
    }

    /// Writes the sample group of all samples (ISO/IEC 14496-12, sections 8.9 and 10.1).
    ///
    /// - Parameter count: the samples; `nil` of fragments, whose samples are in the group as a rule.
    func writeGroups(_ writer: inout ByteWriter, count: Int?) {
        guard distance < 0 else { return }
        writer.box("sgpd", version: count == nil ? 2 : 1) { writer in
            writer.text("roll")
            writer.u32(2)
            if count == nil { writer.u32(1) }
            writer.u32(1)
            writer.u16(distance)
        }
        guard let count else { return }
        writer.box("sbgp", version: 0) { writer in
            writer.text("roll")
            writer.u32(1)
            writer.u32(count)
            writer.u32(1)
        }
    }

    /// The display size of pictures, in pixels: that of the first description, stretched by `pasp`.
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
