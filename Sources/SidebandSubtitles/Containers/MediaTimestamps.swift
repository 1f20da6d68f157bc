internal import MediaContainers

/// The first presentation timestamps that a media segment has, in ticks of 90 kHz modulo 2³³.
public struct MediaTimestamps: Sendable, Hashable {
    /// The first time stamp of video; `nil` without video.
    public var video: Int?
    /// The first time stamp of audio; `nil` without audio.
    public var audio: Int?

    /// The clock for subtitles: that of the video, or without video that of the audio.
    public var first: Int? { video ?? audio }

    /// How many of a segment's first bytes are enough, as a rule.
    public static let probeLength = 1 << 20

    /// Reads the beginning of a segment: MPEG-2 TS, fragmented MP4, or packed audio with its ID3 timestamp
    /// (RFC 8216bis §3.1).
    ///
    /// - Parameters:
    ///   - bytes: the segment or its first bytes, decrypted.
    ///   - initialization: its Media Initialization Section, for fragmented MP4 that has one.
    public init(of bytes: [UInt8], initialization: [UInt8]? = nil) {
        if bytes.starts(with: Array("ID3".utf8)) {
            audio = ID3Timestamp.read(bytes).stamp.map(Int.init)
        } else if bytes.looksLikeMP4 {
            readMovie(bytes, initialization ?? bytes)
        } else {
            (video, audio) = TransportStamps.first(in: bytes)
        }
    }

    private mutating func readMovie(_ bytes: [UInt8], _ initialization: [UInt8]) {
        let tracks = MovieTrack.all(in: initialization)
        var fragments = MovieFragments(tracks)
        for fragment in fragments.all(in: bytes) {
            guard let track = tracks.first(where: { $0.id == fragment.track }) else { continue }
            let isVideo = track.handler == Box.type("vide")
            guard isVideo ? video == nil : audio == nil && track.handler == Box.type("soun") else { continue }
            let times = fragment.samples.map { $0.decodeTime + $0.compositionOffset }
            guard let earliest = times.min() else { continue }
            let ticks = MediaTimestamps.ticks(earliest + track.editOffset, timescale: track.timescale)
            if isVideo { video = ticks } else { audio = ticks }
        }
    }

    /// A time in ticks of 90 kHz modulo 2³³.
    static func ticks(_ time: Int, timescale: UInt64) -> Int {
        let scale = Int(clamping: timescale)
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: scale)
        let fraction = Int((Double(rest) * 90_000 / Double(scale)).rounded())
        let wrap = MediaTicks.wrap
        let ticks = (seconds % wrap * 90_000 + fraction) % wrap
        return ticks < 0 ? ticks + wrap : ticks
    }
}
