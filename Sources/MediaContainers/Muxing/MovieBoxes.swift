/// The boxes that a movie has whether it is fragmented or not (ISO/IEC 14496-12, section 8).
enum MovieBoxes {
    /// Times of creation and change, which are not told, before other fields and a duration.
    private static func times(
        _ writer: inout ByteWriter, isLong: Bool, duration: UInt64, _ between: (inout ByteWriter) -> Void
    ) {
        writer.zeros(isLong ? 16 : 8)
        between(&writer)
        if isLong { writer.u64(duration) } else { writer.u32(duration) }
    }

    /// Whether a duration needs 64 bits.
    private static func isLong(_ duration: UInt64) -> Bool { duration >= UInt64(UInt32.max) }

    static func movieHeader(
        _ writer: inout ByteWriter, timescale: UInt32, duration: UInt64, nextTrack: UInt32
    ) {
        let isLong = isLong(duration)
        writer.box("mvhd", version: isLong ? 1 : 0) { writer in
            times(&writer, isLong: isLong, duration: duration) { $0.u32(timescale) }
            writer.u32(0x1_0000)
            writer.u16(0x100)
            writer.zeros(10)
            for number in MovieTrack.identity { writer.u32(number) }
            writer.zeros(24)
            writer.u32(nextTrack)
        }
    }

    /// - Parameter duration: in ticks of the movie.
    static func trackHeader(_ writer: inout ByteWriter, _ track: OutputTrack, duration: UInt64) {
        let isLong = isLong(duration)
        writer.box(
            "tkhd", version: isLong ? 1 : 0, flags: track.isEnabled ? 3 : 2
        ) { writer in
            times(&writer, isLong: isLong, duration: duration) {
                $0.u32(track.number)
                $0.u32(0)
            }
            writer.zeros(8)
            writer.u16(0)
            writer.u16(track.alternateGroup)
            writer.u16(track.kind == .audio ? 0x100 : 0)
            writer.u16(0)
            for number in track.matrix.isEmpty ? MovieTrack.identity : track.matrix { writer.u32(number) }
            let size = track.shownSize
            writer.u32(UInt32(clamping: size.width) << 16)
            writer.u32(UInt32(clamping: size.height) << 16)
        }
    }

    /// Writes `mdia` with the sample table that `table` writes.
    ///
    /// - Parameter duration: in ticks of the track.
    static func media(
        _ writer: inout ByteWriter, of track: OutputTrack, duration: UInt64,
        _ table: (inout ByteWriter) -> Void
    ) {
        writer.box("mdia") { writer in
            let isLong = isLong(duration)
            writer.box("mdhd", version: isLong ? 1 : 0) { writer in
                times(&writer, isLong: isLong, duration: duration) { $0.u32(track.timescale) }
                writer.u16(LanguageCode.code(track.language))
                writer.u16(0)
            }
            handler(&writer, track)
            writer.box("minf") { writer in
                mediaHeader(&writer, track.kind)
                dataInformation(&writer)
                writer.box("stbl") { writer in
                    descriptions(&writer, track.descriptions)
                    table(&writer)
                }
            }
        }
    }

    private static func handler(_ writer: inout ByteWriter, _ track: OutputTrack) {
        let (type, name) =
            switch track.kind {
            case .video: ("vide", "VideoHandler")
            case .audio: ("soun", "SoundHandler")
            case .text: (track.isTimedText ? "sbtl" : "text", "SubtitleHandler")
            case .other: ("meta", "DataHandler")
            }
        writer.box("hdlr", version: 0) { writer in
            writer.zeros(4)
            writer.text(type)
            writer.zeros(12)
            writer.text((track.name ?? name))
            writer.zeros(1)
        }
    }

    private static func mediaHeader(_ writer: inout ByteWriter, _ kind: MovieTrack.Kind) {
        switch kind {
        case .video: writer.box("vmhd", version: 0, flags: 1) { $0.zeros(8) }
        case .audio: writer.box("smhd", version: 0) { $0.zeros(4) }
        case .text, .other: writer.box("nmhd", version: 0) { _ in }
        }
    }

    private static func dataInformation(_ writer: inout ByteWriter) {
        writer.box("dinf") { writer in
            writer.box("dref", version: 0) { writer in
                writer.u32(1)
                writer.box("url ", version: 0, flags: 1) { _ in }
            }
        }
    }

    private static func descriptions(_ writer: inout ByteWriter, _ list: [SampleDescription]) {
        writer.box("stsd", version: 0) { writer in
            writer.u32(list.count)
            for description in list { writer.append(description.entry) }
        }
    }
}

extension OutputTrack {
    /// Whether its samples are 3GPP timed text (TS 26.245).
    var isTimedText: Bool { descriptions.first?.entry.dropFirst(4).starts(with: "tx3g".utf8) ?? false }
}
