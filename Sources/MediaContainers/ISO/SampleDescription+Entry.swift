extension SampleDescription {
    /// Reads a sample entry of `stsd` (ISO/IEC 14496-12, sections 8.5.2 and 12).
    init(reading entry: [UInt8], _ kind: MovieTrack.Kind) {
        let entry = Self.cleared(entry)
        let head = SampleEntryHead(entry, kind)
        self.init(entry: entry, codec: CodecName(head, entry).text, shape: head.shape)
    }

    /// The entry without the boxes that describe encryption, if its type is that of clear samples.
    private static func cleared(_ entry: [UInt8]) -> [UInt8] {
        guard entry.count > 8, !entry.dropFirst(4).starts(with: "enc".utf8) else { return entry }
        let name = String(decoding: entry[4..<8], as: UTF8.self)
        guard let fixed = SampleEntryHead.fixed(name, entry), entry.count > 8 + fixed else { return entry }
        let boxes = Box.list(entry, 8 + fixed..<entry.count)
        guard boxes.contains(where: { ["sinf", "free"].contains($0.name) }) else { return entry }
        var writer = ByteWriter()
        writer.box(name) { writer in
            writer.append(entry[8..<8 + fixed])
            for box in boxes where !["sinf", "free"].contains(box.name) {
                writer.append(entry[box.start..<box.end])
            }
        }
        return writer.bytes
    }
}

/// The fixed part of a sample entry.
struct SampleEntryHead {
    let name: String
    let shape: SampleDescription.Shape
    /// The boxes in the entry.
    let boxes: [Box]

    init(_ entry: [UInt8], _ kind: MovieTrack.Kind) {
        name = entry.count >= 8 ? String(decoding: entry[4..<8], as: UTF8.self) : ""
        var reader = NumberReader(entry, 8..<max(entry.count, 8))
        switch kind {
        case .video:
            reader.skip(24)
            shape = .video(width: reader.next(2) ?? 0, height: reader.next(2) ?? 0)
        case .audio:
            reader.skip(16)
            let channels = reader.next(2) ?? 0
            reader.skip(6)
            shape = .audio(sampleRate: (reader.next(4) ?? 0) >> 16, channels: channels)
        case .text, .other: shape = .other
        }
        let start = 8 + (Self.fixed(kind, entry) ?? 0)
        boxes = entry.count > start ? Box.list(entry, start..<entry.count) : []
    }

    /// The number of bytes of a sample entry before its boxes; `nil` for an unknown kind of track.
    private static func fixed(_ kind: MovieTrack.Kind, _ entry: [UInt8]) -> Int? {
        switch kind {
        case .video: 78
        // QuickTime's second version of sound descriptions has more.
        case .audio: entry.count > 17 && entry[17] == 1 ? 44 : 28
        case .text: 8
        case .other: nil
        }
    }

    /// The fixed length of an entry, by its type.
    static func fixed(_ name: String, _ entry: [UInt8]) -> Int? {
        let video = ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "vp09", "mp4v"]
        let audio = ["mp4a", "ac-3", "ec-3", "Opus", "fLaC", "alac", "mha1", "mhm1", "ac-4", ".mp3"]
        if video.contains(name) { return fixed(.video, entry) }
        return audio.contains(name) ? fixed(.audio, entry) : nil
    }
}
