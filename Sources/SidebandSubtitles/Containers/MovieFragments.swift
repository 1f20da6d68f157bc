/// A sample of a track in a movie fragment (ISO/IEC 14496-12 §8.8).
struct MovieSample {
    /// Its decoding time, in ticks of its track.
    var decodeTime: Int
    /// The ticks from its decoding time to its presentation time.
    var compositionOffset: Int
    /// Ticks.
    var duration: Int
    /// The range of its bytes, which may be incomplete.
    var range: Range<Int>
}

/// The samples that one `traf` lists.
struct TrackFragment {
    var track: UInt64
    var samples: [MovieSample]
}

/// Reads movie fragments.
struct MovieFragments {
    let tracks: [MovieTrack]
    /// The most samples that are read of a segment.
    static let sampleLimit = 200_000

    private var remaining = MovieFragments.sampleLimit

    init(_ tracks: [MovieTrack]) { self.tracks = tracks }

    /// The track fragments of a segment in order. Reading ends at the first truncated or damaged one.
    mutating func all(in bytes: [UInt8]) -> [TrackFragment] {
        var fragments: [TrackFragment] = []
        for box in BoxReader(bytes).all("moof") where box.isWhole {
            var end = box.start
            for part in BoxReader(bytes, box.content).all("traf") {
                let content = BoxReader(bytes, part.content)
                guard let fragment = read(content, moof: box.start, after: &end) else { continue }
                fragments.append(fragment)
            }
        }
        return fragments
    }

    private struct Defaults {
        var track: UInt64
        var base: Int
        var duration: UInt64
        var size: UInt64
    }

    /// - Parameter end: the end of the data of the track before, where those of this one begin by default (ISO/IEC
    ///   14496-12 §8.8.7).
    private mutating func read(_ content: BoxReader, moof: Int, after end: inout Int) -> TrackFragment? {
        guard let defaults = defaults(content, moof: moof, after: end) else { return nil }
        var time = 0
        if var box = content.first("tfdt"), let (version, _) = box.versionAndFlags() {
            time = min(Int(clamping: box.number(inVersion: version) ?? 0), 1 << 60)
        }
        var fragment = TrackFragment(track: defaults.track, samples: [])
        var offset = defaults.base
        for box in content.all("trun") {
            let run = BoxReader(content.bytes, box.content)
            guard appendSamples(of: run, defaults, &time, offset: &offset, to: &fragment.samples) else {
                break
            }
        }
        end = offset
        return fragment
    }

    private func defaults(_ content: BoxReader, moof: Int, after end: Int) -> Defaults? {
        guard var header = content.first("tfhd"), let (_, flags) = header.versionAndFlags(),
            let id = header.number(4)
        else { return nil }
        let track = tracks.first { $0.id == id }
        var defaults = Defaults(
            track: id, base: flags & 0x20000 != 0 ? moof : end, duration: track?.defaultDuration ?? 0,
            size: track?.defaultSize ?? 0)
        if flags & 0x1 != 0 { defaults.base = Int(clamping: header.number(8) ?? 0) }
        if flags & 0x2 != 0 { _ = header.skip(4) }
        if flags & 0x8 != 0 { defaults.duration = header.number(4) ?? 0 }
        if flags & 0x10 != 0 { defaults.size = header.number(4) ?? 0 }
        return defaults
    }

    private mutating func appendSamples(
        of run: BoxReader, _ defaults: Defaults, _ time: inout Int, offset: inout Int,
        to samples: inout [MovieSample]
    ) -> Bool {
        var run = run
        guard let (_, flags) = run.versionAndFlags(), let count = run.number(4) else { return false }
        if flags & 0x1 != 0 {
            guard let raw = run.number(4) else { return false }
            offset = defaults.base.addingReportingOverflow(Int(Int32(truncatingIfNeeded: raw))).partialValue
        }
        if flags & 0x4 != 0 { _ = run.skip(4) }
        for _ in 0..<min(count, UInt64(max(remaining, 0))) {
            guard let duration = flags & 0x100 != 0 ? run.number(4) : defaults.duration,
                let size = flags & 0x200 != 0 ? run.number(4) : defaults.size,
                flags & 0x400 == 0 || run.skip(4),
                let shift = flags & 0x800 != 0 ? run.number(4) : 0
            else { return false }
            let place = min(max(offset, 0), 1 << 60)
            samples.append(
                MovieSample(
                    decodeTime: time, compositionOffset: Int(Int32(truncatingIfNeeded: shift)),
                    duration: Int(duration), range: place..<place + Int(size)))
            time += Int(duration)
            offset = place + Int(size)
            remaining -= 1
        }
        return true
    }
}
