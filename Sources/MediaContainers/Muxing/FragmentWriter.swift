/// Writes fragmented MP4: an initialization section, and segments for it (ISO/IEC 14496-12, section 8.8).
///
/// Times are unchanged, so that the clock of the segments is that of their source.
///
/// ```swift
/// let writer = FragmentWriter(tracks: samples.enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) })
/// let section = writer.initializationSection
/// let segment = writer.segment(samples, sequenceNumber: 1)
/// ```
public struct FragmentWriter: Sendable {
    /// The tracks in the order of segments.
    public let tracks: [OutputTrack]

    /// A writer for some tracks.
    public init(tracks: [OutputTrack]) { self.tracks = tracks }

    /// The initialization section before the segments: `ftyp` and `moov`.
    public var initializationSection: [UInt8] {
        var writer = ByteWriter()
        writer.box("ftyp") { $0.text("iso6\0\0\0\u{1}iso6cmfcmp41") }
        writer.box("moov") { writer in
            let next = (tracks.map(\.number).max() ?? 0) + 1
            MovieBoxes.movieHeader(
                &writer, timescale: MovieHeadWriter.timescale, duration: 0, nextTrack: next)
            for track in tracks { Self.emptyTrack(&writer, track) }
            writer.box("mvex") { writer in
                for track in tracks {
                    writer.box("trex", version: 0) { writer in
                        writer.u32(track.number)
                        writer.u32(1)
                        writer.zeros(12)
                    }
                }
            }
        }
        return writer.bytes
    }

    private static func emptyTrack(_ writer: inout ByteWriter, _ track: OutputTrack) {
        writer.box("trak") { writer in
            MovieBoxes.trackHeader(&writer, track, duration: 0)
            writeEdits(of: track, &writer)
            MovieBoxes.media(&writer, of: track, duration: 0) { writer in
                for name in ["stts", "stsc", "stco"] { writer.box(name, version: 0) { $0.zeros(4) } }
                writer.box("stsz", version: 0) { $0.zeros(8) }
                track.writeGroups(&writer, count: nil)
            }
        }
    }

    /// The edits of the source: an empty one, until the track begins, and one of its media.
    private static func writeEdits(of track: OutputTrack, _ writer: inout ByteWriter) {
        let delay = Ticks.scaled(track.delay, from: track.timescale, to: MovieHeadWriter.timescale)
        guard delay > 0 || track.presentationStart > 0 else { return }
        var edits: [(Int64, Int64)] = [(0, track.presentationStart)]
        if delay > 0 { edits.insert((delay, -1), at: 0) }
        writer.box("edts") { writer in
            writer.box("elst", version: 1) { writer in
                writer.u32(edits.count)
                for (length, time) in edits {
                    writer.u64(length)
                    writer.u64(time)
                    writer.u32(0x1_0000)
                }
            }
        }
    }

    /// One segment: `styp`, `moof` and `mdat`.
    ///
    /// - Parameters:
    ///   - samples: the samples of each track, in the order of `tracks`; tracks without any are left out.
    ///   - sequenceNumber: the number of the fragment.
    ///   - shift: the ticks of 90 kHz that are added to decoding times.
    ///   - tags: timed ID3 tags, which become event messages.
    public func segment(
        _ samples: [TrackSamples], sequenceNumber: UInt32, shift: Int64 = 0, tags: [TimedTag] = []
    ) -> [UInt8] {
        let pairs = zip(tracks, samples).filter { !$1.samples.isEmpty }.map { ($0, $1.described(as: $0)) }
        var writer = ByteWriter(
            reserving: pairs.reduce(256) { $0 + $1.1.bytes.count + 16 * $1.1.samples.count })
        writer.box("styp") { $0.text("msdh\0\0\0\0msdhmsix") }
        for tag in tags { tag.write(&writer, shift: shift) }
        let start = writer.bytes.count
        var offsets: [(place: Int, offset: Int)] = []
        writer.box("moof") { writer in
            writer.box("mfhd", version: 0) { $0.u32(sequenceNumber) }
            var data = 0
            for (track, samples) in pairs {
                let ticks = Ticks.scaled(shift, from: 90_000, to: samples.timescale)
                for run in SampleRun.all(of: samples) {
                    run.write(&writer, track: track.number, shift: ticks, at: data, offsets: &offsets)
                    data += run.size
                }
            }
        }
        for (place, offset) in offsets {
            writer.patch32(at: place, UInt32(clamping: writer.bytes.count - start + 8 + offset))
        }
        writer.box("mdat") { writer in for (_, samples) in pairs { writer.append(samples.bytes) } }
        return writer.bytes
    }
}

/// Samples of one track that have one description.
private struct SampleRun {
    let samples: ArraySlice<MediaSample>
    let size: Int

    static func all(of track: TrackSamples) -> [SampleRun] {
        var runs: [SampleRun] = []
        var (start, size) = (0, 0)
        for (index, sample) in track.samples.enumerated() {
            if sample.description != track.samples[start].description {
                runs.append(SampleRun(samples: track.samples[start..<index], size: size))
                (start, size) = (index, 0)
            }
            size += Int(sample.size)
        }
        runs.append(SampleRun(samples: track.samples[start...], size: size))
        return runs
    }

    /// Sample flags: it depends on no other, or on others (section 8.8.3.1).
    private static let (sync, dependent): (UInt32, UInt32) = (0x0200_0000, 0x0101_0000)

    private func flags(_ sample: MediaSample) -> UInt32 { sample.isSync ? Self.sync : Self.dependent }

    /// Writes a `traf`.
    ///
    /// - Parameter offsets: gets where the offset of the data is to be put.
    func write(
        _ writer: inout ByteWriter, track: UInt32, shift: Int64, at data: Int,
        offsets: inout [(place: Int, offset: Int)]
    ) {
        guard let first = samples.first else { return }
        let hasOneDuration = samples.allSatisfy { $0.duration == first.duration }
        let hasOneKind = samples.allSatisfy { $0.isSync == first.isSync }
        let hasShifts = samples.contains { $0.presentationOffset != 0 }
        writer.box("traf") { writer in
            let own = 0x2_0022 | (hasOneDuration ? 0x8 : 0)
            writer.box("tfhd", version: 0, flags: own) { writer in
                writer.u32(track)
                writer.u32(UInt32(first.description) + 1)
                if hasOneDuration { writer.u32(first.duration) }
                writer.u32(flags(first))
            }
            writer.box("tfdt", version: 1) { $0.u64(UInt64(max(0, first.decodeTime + shift))) }
            let fields =
                0x201 | (hasOneDuration ? 0 : 0x100) | (hasOneKind ? 0 : 0x400) | (hasShifts ? 0x800 : 0)
            writer.box("trun", version: 1, flags: fields) { writer in
                writer.u32(samples.count)
                offsets.append((writer.bytes.count, data))
                writer.zeros(4)
                for sample in samples {
                    if !hasOneDuration { writer.u32(sample.duration) }
                    writer.u32(sample.size)
                    if !hasOneKind { writer.u32(flags(sample)) }
                    if hasShifts { writer.u32(sample.presentationOffset) }
                }
            }
        }
    }
}
