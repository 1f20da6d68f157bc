internal import HLSPlaylist

/// The start of each rendition's recording, so that all of them begin together. Pure.
package struct LiveStart {
    /// The start of live playback before the end, in target durations (RFC 8216bis, section 6.3.3).
    static let holdBack = 3

    /// The plan of a download; for a stream without an end, the beginning of its recording.
    ///
    /// - Parameter lost: is called with optional renditions that can't be recorded; they are left out.
    /// - Throws: `playlist` if a required rendition can't be recorded.
    package static func plan(
        _ streams: [ResolvedStream], sources: [SourcePlaylist], _ wish: Selection.Recording?,
        lost: (SelectedStream, StoreError) -> Void
    ) throws(StoreError) -> DownloadPlan {
        guard let wish, streams.contains(where: { $0.playlist?.isLive == true }),
            let main = streams.first(where: { $0.selected.required && $0.playlist?.isLive == true })
                ?? streams.first(where: { $0.playlist?.isLive == true }),
            let lead = main.playlist
        else { return DownloadPlan(streams, sources: sources) }
        let index = wish.fromStart ? 0 : edge(of: lead)
        let start = LiveStart(lead, index, url: main.url)
        var begun: [ResolvedStream] = []
        var states: [PlannedRecording.State?] = []
        for stream in streams {
            do throws(StoreError) {
                let (stream, state) = try start.begin(stream, wish)
                begun.append(stream)
                states.append(state)
            } catch {
                guard !stream.selected.required else { throw error }
                lost(stream.selected, error)
            }
        }
        var plan = DownloadPlan(begun, sources: sources)
        let named = zip(plan.renditions.map(\.name), states).compactMap { name, state in
            state.map { (name, $0) }
        }
        plan.recording = PlannedRecording(
            wish: wish, states: Dictionary(named) { first, _ in first })
        return plan
    }

    /// The segment that players would begin with.
    static func edge(of playlist: MediaPlaylist) -> Int {
        var index = playlist.segments.endIndex
        var seconds = 0.0
        while index > 0, seconds < Double(holdBack * playlist.targetDuration) {
            index -= 1
            seconds += playlist.segments[index].duration
        }
        return index
    }

    private let number: Int
    private let date: Double?
    /// Seconds to the end of the list.
    private let distance: Double

    init(_ playlist: MediaPlaylist, _ index: Int, url: String) {
        number = playlist.mediaSequence + index
        date = SegmentIdentity.all(of: playlist, base: URIReference(url))[index].date
        distance = playlist.segments[index...].reduce(0) { $0 + $1.duration }
    }

    private func begin(
        _ stream: ResolvedStream, _ wish: Selection.Recording
    ) throws(StoreError) -> (ResolvedStream, PlannedRecording.State?) {
        // A live stream keeps the names of its variables, since a fresh address brings new values for later loads.
        guard let playlist = stream.playlist, playlist.isLive else { return (stream.withoutVariables, nil) }
        do throws(PlaylistError) {
            return try begin(stream, playlist, wish: wish)
        } catch {
            throw StoreError(.playlist(error), url: URIReference(stream.url).redacted)
        }
    }

    /// - Throws: an error if the recording could not be continued from this playlist, or not be read again.
    private func begin(
        _ stream: ResolvedStream, _ playlist: MediaPlaylist, wish: Selection.Recording
    ) throws(PlaylistError) -> (ResolvedStream, PlannedRecording.State?) {
        let base = URIReference(stream.url)
        let index = place(in: playlist, base: base, kind: stream.selected.kind)
        let first = playlist.segments[index]
        var window = LiveWindow(playlist, base: base, at: index, room: wish.duration)
        let growth = try window.take(playlist, base: base)
        let body =
            RecordedPlaylist.head(of: playlist, from: first) + RecordedPlaylist.piece(growth, isFirst: true)
        guard case .media(let recorded) = try Playlist(parsing: body, limits: .stored) else {
            throw PlaylistError(code: .mixedKinds, line: 0)
        }
        var begun = stream
        begun.playlist = recorded
        return (begun, PlannedRecording.State(shift: window.shift, discontinuity: window.discontinuity))
    }

    /// The place of the common start in a playlist: by the dates, else by the media sequence numbers, else by the
    /// distance from the end.
    func place(in playlist: MediaPlaylist, base: URIReference, kind: RenditionKind) -> Int {
        let dates = SegmentIdentity.all(of: playlist, base: base).map(\.date)
        if let date, dates.first??.isFinite == true {
            return dates.indices.min { abs((dates[$0] ?? 0) - date) < abs((dates[$1] ?? 0) - date) } ?? 0
        }
        let index = number - playlist.mediaSequence
        if kind != .iframe, kind != .images, playlist.segments.indices.contains(index) { return index }
        var (place, seconds) = (playlist.segments.endIndex - 1, playlist.segments.last?.duration ?? 0)
        while place > 0, seconds + playlist.segments[place].duration / 2 < distance {
            place -= 1
            seconds += playlist.segments[place].duration
        }
        return place
    }
}
