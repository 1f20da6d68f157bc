/// A track as the `moov` box of an initialization section describes it (ISO/IEC 14496-12 §8).
struct MovieTrack {
    var id: UInt64
    /// Ticks per second; at least 1.
    var timescale: UInt64
    /// The type of its handler, such as `vide`, `soun`, `text` or `subt`.
    var handler: UInt32
    /// The type of its first sample entry, such as `wvtt` or `stpp`.
    var codec: UInt32
    /// The WebVTT header of a `wvtt` entry.
    var configuration: [UInt8]
    /// The ticks that the edit list adds to times of the media: less than 0 when the first samples come before the
    /// presentation.
    var editOffset: Int
    var defaultDuration: UInt64 = 0
    var defaultSize: UInt64 = 0

    /// The most tracks that are read.
    private static let limit = 64

    /// The tracks of an initialization section, or of a file that starts with one.
    static func all(in bytes: [UInt8]) -> [MovieTrack] {
        guard let movie = BoxReader(bytes).first("moov") else { return [] }
        var tracks = movie.all("trak").prefix(limit).compactMap { box in
            MovieTrack(BoxReader(bytes, box.content))
        }
        for box in movie.first("mvex")?.all("trex") ?? [] {
            var reader = BoxReader(bytes, box.content)
            guard reader.skip(4), let id = reader.number(4), reader.skip(4),
                let duration = reader.number(4), let size = reader.number(4)
            else { continue }
            for index in tracks.indices where tracks[index].id == id {
                tracks[index].defaultDuration = duration
                tracks[index].defaultSize = size
            }
        }
        return tracks
    }

    private init?(_ track: BoxReader) {
        guard var header = track.first("tkhd"), let (version, _) = header.versionAndFlags(),
            header.skip(version == 1 ? 16 : 8), let id = header.number(4),
            let media = track.first("mdia"), let scale = media.first("mdhd").flatMap({ Self.timescale($0) })
        else { return nil }
        self.id = id
        timescale = scale
        var kind = media.first("hdlr")
        handler = kind?.skip(8) == true ? UInt32(truncatingIfNeeded: kind?.number(4) ?? 0) : 0
        (codec, configuration) = (0, [])
        if var entries = media.descendant("minf", "stbl", "stsd"), entries.skip(8), let entry = entries.next()
        {
            codec = entry.type
            var content = BoxReader(track.bytes, entry.content)
            if entry.isType("wvtt"), content.skip(8) {
                configuration = Array(content.first("vttC")?.rest ?? [])
            }
        }
        editOffset = track.descendant("edts", "elst").map(Self.editOffset) ?? 0
    }

    /// Ticks per second of an `mdhd`.
    private static func timescale(_ header: BoxReader) -> UInt64? {
        var header = header
        guard let (version, _) = header.versionAndFlags(), header.skip(version == 1 ? 16 : 8),
            let scale = header.number(4)
        else { return nil }
        return max(scale, 1)
    }

    /// The first edit that is not empty determines the first media time. Empty edits before it, which muxers write
    /// when frames are reordered, do not count: HLS players ignore them.
    private static func editOffset(_ list: BoxReader) -> Int {
        var list = list
        guard let (version, _) = list.versionAndFlags(), let count = list.number(4) else { return 0 }
        for _ in 0..<count {
            guard list.number(inVersion: version) != nil, let raw = list.number(inVersion: version),
                list.skip(4)
            else {
                break
            }
            let time = version == 1 ? Int(Int64(bitPattern: raw)) : Int(Int32(truncatingIfNeeded: raw))
            if time >= 0 { return -min(time, 1 << 50) }
        }
        return 0
    }
}
