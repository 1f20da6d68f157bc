internal import AssetStore
internal import Locking
internal import SidebandSubtitles
internal import SubtitleRaster

/// The painter of subtitles, with its latest pictures. A picture is sent again as long as nothing in it changes.
final class SubtitleFrames: Sendable {
    /// A picture with the time for which it is valid.
    struct Picture {
        var png: [UInt8]
        var tag: String
        fileprivate var source: Source
        fileprivate var validFrom: CueTime
        fileprivate var validUntil: CueTime?

        fileprivate func holds(for source: Source, at time: CueTime) -> Bool {
            self.source == source && validFrom <= time && validUntil.map { time < $0 } ?? true
        }
    }

    /// The source of a picture.
    fileprivate struct Source: Hashable {
        var tracks: [String]
        var size: FrameSize
    }

    /// Why there is no picture.
    enum Refusal: Error {
        /// Too many other requests are waiting.
        case busy
        case failed(RasterError)
    }

    private struct State {
        /// The pictures, the one that was unused for longest first.
        var pictures: [Picture] = []
        var bytes = 0
        var tracks: [(name: String, track: ShownTrack)] = []
        var waiting = 0
        var rasterizer: SubtitleRasterizer?

        mutating func startWaiting() -> Bool {
            guard waiting < largest.waiting else { return false }
            waiting += 1
            return true
        }

        mutating func keep(_ picture: Picture) {
            pictures.append(picture)
            bytes += picture.png.count
            while pictures.count > 1, pictures.count > largest.pictures || bytes > largest.bytes {
                bytes -= pictures.removeFirst().png.count
            }
        }
    }

    private let state = Lock(State())
    /// How many pictures, with how many bytes, and tracks are kept, and how many requests may wait.
    private static let largest = (pictures: 64, bytes: 16 << 20, tracks: 4, waiting: 16)

    /// The picture of some tracks at a moment; the first tracks keep their positions. A picture of a track with
    /// damaged files is not kept, since a repair does not change the track's revision.
    func picture(
        _ tracks: [AssetSubtitles], of token: AssetToken, size: FrameSize, at time: CueTime
    ) throws(Refusal) -> Picture {
        let names = tracks.map { "\(token)/\($0.rendition.name)/\($0.revision)" }
        let source = Source(tracks: names, size: size)
        let isKept = !tracks.contains(where: \.isDamaged)
        if isKept, let known = known(source, at: time) { return known }
        guard state.withLock({ $0.startWaiting() }) else { throw .busy }
        defer { state.withLock { $0.waiting -= 1 } }
        let made: SubtitleRasterizer.Picture
        do throws(RasterError) {
            made = try rasterizer().picture(zip(tracks, names).map(track), size: size, at: time)
        } catch {
            throw .failed(error)
        }
        let picture = Picture(
            png: made.png, tag: ContentTag.of(made.png), source: source, validFrom: made.layout.validFrom,
            validUntil: made.layout.validUntil)
        if isKept { state.withLock { $0.keep(picture) } }
        return picture
    }

    private func known(_ source: Source, at time: CueTime) -> Picture? {
        state.withLock { state in
            guard let index = state.pictures.lastIndex(where: { $0.holds(for: source, at: time) }) else {
                return nil
            }
            let picture = state.pictures.remove(at: index)
            state.pictures.append(picture)
            return picture
        }
    }

    /// The track, made ready once.
    private func track(_ found: AssetSubtitles, _ name: String) -> ShownTrack {
        if !found.isDamaged,
            let known = state.withLock({ state in state.tracks.first { $0.name == name }?.track })
        {
            return known
        }
        let track = ShownTrack(found.track, language: found.rendition.language ?? "")
        if found.isDamaged { return track }
        state.withLock { state in
            state.tracks.append((name, track))
            if state.tracks.count > SubtitleFrames.largest.tracks { state.tracks.removeFirst() }
        }
        return track
    }

    private func rasterizer() throws(RasterError) -> SubtitleRasterizer {
        if let known = state.withLock({ $0.rasterizer }) { return known }
        let made = try SubtitleRasterizer()
        return state.withLock { state in
            let first = state.rasterizer ?? made
            state.rasterizer = first
            return first
        }
    }
}
