/// The coding of a frame of sound, as sample entries tell it.
struct SoundFormat: Sendable, Equatable {
    /// Samples per second.
    var rate: Int
    var channels: Int
    /// A number that changes when the sample entry does.
    var key: Int
}

/// A frame of sound in a stream.
struct SoundFrame {
    /// Bytes of the stream that it takes.
    var length: Int
    /// The samples of MP4 that it becomes.
    var payloads: [ArraySlice<UInt8>]
    /// How long each of them lasts, in samples of sound.
    var samples: Int
    var format: SoundFormat
}

/// The content at a place of a stream of sound.
enum SoundLook {
    case frame(SoundFrame)
    /// The beginning of a frame whose end is not there.
    case partial
    /// No frame.
    case nothing
}

/// A codec of sound whose frames follow each other.
enum SoundCodec: Sendable {
    /// AAC in ADTS frames; CODECS decides how SBR is signaled.
    case adts(ADTS)
    /// AAC in LOAS frames.
    case latm(LATM)
    /// MPEG-1 and MPEG-2 audio.
    case mpeg
    /// AC-3 and E-AC-3.
    case dolby
    /// Opus with control headers.
    case opus(OpusStream)

    /// Looks for a frame.
    mutating func look(_ data: [UInt8], at place: Int) -> SoundLook {
        switch self {
        case .adts(var codec):
            defer { self = .adts(codec) }
            return codec.look(data, at: place)
        case .latm(var codec):
            defer { self = .latm(codec) }
            return codec.look(data, at: place)
        case .mpeg: return MPEGSound.look(data, at: place)
        case .dolby: return DolbySound.look(data, at: place)
        case .opus(let codec): return codec.look(data, at: place)
        }
    }

    /// The sample entry of a frame; `nil` where the stream has not told enough.
    func description(of frame: SoundFrame) -> SampleDescription? {
        switch self {
        case .adts(let codec): codec.description(of: frame)
        case .latm(let codec): codec.description(of: frame)
        case .mpeg: MPEGSound.description(of: frame)
        case .dolby: DolbySound.description(of: frame)
        case .opus(let codec): codec.description(of: frame)
        }
    }
}

extension ByteWriter {
    /// Appends a sample entry of sound (ISO/IEC 14496-12, section 12.2.3).
    ///
    /// - Parameter configuration: writes the box of the codec.
    mutating func soundEntry(
        _ type: String, _ format: SoundFormat, configuration: (inout ByteWriter) -> Void
    ) {
        box(type) { writer in
            writer.zeros(6)
            writer.u16(1)
            writer.zeros(8)
            writer.u16(format.channels)
            writer.u16(16)
            writer.u32(0)
            // The field has 16 bits: for higher rates, only the codec's configuration has the rate.
            writer.u32(format.rate < 1 << 16 ? format.rate << 16 : 0)
            configuration(&writer)
        }
    }

    /// Appends `esds` (ISO/IEC 14496-1, section 7.2.6) of an audio stream.
    ///
    /// - Parameters:
    ///   - object: the type of the codec (section 7.2.6.6).
    ///   - configuration: the decoder's configuration; left out if empty.
    mutating func elementaryDescriptor(object: Int, configuration: [UInt8]) {
        // Rates and buffer size are left out: they may differ between segments, which would make separate entries.
        var decoder = ByteWriter()
        decoder.u8(object)
        decoder.u8(5 << 2 | 1)
        decoder.zeros(3 + 4 + 4)
        if !configuration.isEmpty { decoder.descriptor(5, configuration) }
        var stream = ByteWriter()
        stream.u16(0)
        stream.u8(0)
        stream.descriptor(4, decoder.bytes)
        stream.descriptor(6, [2])
        box("esds", version: 0) { $0.descriptor(3, stream.bytes) }
    }

    private mutating func descriptor(_ tag: Int, _ content: [UInt8]) {
        u8(tag)
        for shift in [21, 14, 7] where content.count >> shift > 0 {
            u8(0x80 | content.count >> shift & 0x7F)
        }
        u8(content.count & 0x7F)
        append(content)
    }
}
