internal import HLSPlaylist
internal import Locking

/// Loads the playlist of one rendition again and again, and enters what is new.
final class RenditionRecorder: Sendable {
    private struct State {
        var window: LiveWindow
        var policy = ReloadPolicy()
        var updates = DeltaUpdates()
        var sections: RecordedSections
        /// Seconds that are recorded.
        var duration: Double
        var target: Double
    }

    let row: RenditionRecord
    private let recorder: LiveRecorder
    private let url: String
    private let variables: [String: String]
    private let state: Lock<State>

    /// Goes on with what is in the catalog; `nil` when the rendition is none that is recorded.
    init?(_ row: RenditionRecord, _ recorder: LiveRecorder, _ wish: Recording) throws(StoreError) {
        let (catalog, token) = (recorder.context.catalog, recorder.token)
        guard row.hasPlaylist, row.failure == nil,
            let place = try catalog.recordedStates(of: token)[row.name],
            let source = try catalog.sourcePlaylist(token, row.name),
            case .media(let recorded)? = try? Playlist(parsing: source.body)
        else { return nil }
        self.row = row
        self.recorder = recorder
        url = source.url
        variables = try catalog.variables(of: token)
        let duration = recorded.duration
        let sections = try catalog.outlines(of: row.id).filter { $0.kind == .initialization }.map(\.number)
        state = Lock(
            State(
                window: LiveWindow(
                    after: recorded, shift: place.shift, discontinuity: place.discontinuity,
                    room: wish.duration.map { $0 - duration }),
                sections: RecordedSections(recorded.initializationSections, units: Set(sections)),
                duration: duration,
                target: Double(recorded.targetDuration)))
    }

    /// Records until the stream ends, or enough is recorded, or there is no hope.
    func run() async throws(StoreError) -> RecordingEnd {
        var waited = 0.0
        while true {
            let began = SteadyClock.seconds
            let step: ReloadPolicy.Step
            do throws(StoreError) {
                let playlist = try await load()
                recorder.context.links.came(recorder.token, row.name)
                let growth = try taken(playlist)
                try await enter(growth)
                if growth.hasEnded { return .ended }
                if growth.isFull { return .duration }
                let gained = growth.duration
                step = state.withLock { state in
                    state.policy.loaded(
                        .init(
                            target: state.target, listed: playlist.duration, gained: gained,
                            elapsed: waited + SteadyClock.seconds - began))
                }
            } catch {
                step = try afterFailure(error, elapsed: waited + SteadyClock.seconds - began)
            }
            if recorder.isFinishing { return .ended }
            guard case .wait(let seconds) = step else {
                if case .end(let end) = step { return end }
                return .gone
            }
            waited = seconds
            do { try await recorder.context.wait(seconds) } catch { throw StoreError(.stopped) }
        }
    }

    private var base: URIReference { URIReference(url) }

    private func afterFailure(_ error: StoreError, elapsed: Double) throws(StoreError) -> ReloadPolicy.Step {
        switch error.errorClass {
        case .disk, .engine: throw error
        case .auth where recorder.context.links.ask(recorder.token, for: .playlist(row.name)): throw error
        default: break
        }
        guard recorder.context.conditions.isOnline(url) else { throw error }
        return state.withLock { state in
            state.policy.failed(
                error, target: state.target, elapsed: elapsed, chance: .random(in: 0..<1))
        }
    }

    private func load() async throws(StoreError) -> MediaPlaylist {
        let began = SteadyClock.seconds
        var playlist: MediaPlaylist?
        if let address = state.withLock({ $0.updates.address(url, now: began) }) {
            playlist = try await update(from: address, began)
        }
        if playlist == nil { playlist = try await loaded(url, began) }
        // An origin that skips segments without being asked to.
        guard let playlist else { throw StoreError(.ineligible(.empty), url: base.redacted) }
        state.withLock { $0.target = Double(max(playlist.targetDuration, 1)) }
        return playlist
    }

    /// The playlist by a delta update; `nil` when all of it is to be loaded.
    private func update(from address: String, _ began: Double) async throws(StoreError) -> MediaPlaylist? {
        do throws(StoreError) {
            return try await loaded(address, began)
        } catch {
            switch error.code {
            case .status(400..<500, nil), .playlist, .ineligible:
                state.withLock { $0.updates.refused() }
                return nil
            default: throw error
            }
        }
    }

    /// What is at an address, put together with what was there before; `nil` when it does not fit.
    private func loaded(_ address: String, _ began: Double) async throws(StoreError) -> MediaPlaylist? {
        let playlist = try parsed(try await recorder.origin.reloadedPlaylist(address))
        return state.withLock { $0.updates.take(playlist, context, at: began) }
    }

    private var context: VariableContext { VariableContext(imported: variables, playlistURL: url) }

    private func parsed(_ bytes: [UInt8]) throws(StoreError) -> MediaPlaylist {
        do throws(PlaylistError) {
            if case .media(let playlist) = try Playlist(parsing: bytes, context: context) { return playlist }
        } catch {
            throw StoreError(.playlist(error), url: base.redacted)
        }
        throw StoreError(.ineligible(.nestedMultivariant), url: base.redacted)
    }

    /// What a load brings. One that can't be counted on from counts as one that can't be read.
    private func taken(_ playlist: MediaPlaylist) throws(StoreError) -> LiveGrowth {
        do throws(PlaylistError) {
            return try state.withLock { state throws(PlaylistError) in
                try state.window.take(playlist, base: base)
            }
        } catch {
            throw StoreError(.playlist(error), url: base.redacted)
        }
    }

    /// Keys first, then all else in one transaction, then the transfers may begin.
    private func enter(_ growth: LiveGrowth) async throws(StoreError) {
        guard !growth.entries.isEmpty || !growth.tags.isEmpty else { return }
        let keys = try await recorder.keys.records(for: growth.keys(base: base))
        let made = state.withLock { make(growth, keys, &$0) }
        if !keys.isEmpty { try recorder.grantLicense() }
        try recorder.context.catalog.grow(made, at: recorder.context.clock.now)
        recorder.context.recordings.entered(keys, of: recorder.token)
        recorder.context.onGrowth(recorder.token)
        recorder.found(growth.tags, base: base)
        recorder.feed(made.units.filter { $0.state == .missing }.map { UnitJob(unit: $0, rendition: row) })
    }

    private func make(
        _ growth: LiveGrowth, _ keys: [KeyRecord], _ state: inout State
    ) -> RecordedGrowth {
        let piece = SourcePlaylist(
            rendition: row.name, url: url,
            body: RecordedPlaylist.piece(growth, isFirst: false)
        ).hiding(growth.namedKeys(base: base))
        let first = state.window.next - growth.entries.count
        let units = RecordedPlaylist.units(
            of: piece.body, from: first, start: state.duration, sections: &state.sections)
        let gap = growth.gap.map { gap in
            RecordingGap(
                rendition: row.name, number: gap.number, count: gap.count, start: state.duration,
                duration: growth.entries.prefix(gap.count).reduce(0) { $0 + $1.duration },
                reason: gap.reason.rawValue, at: recorder.context.clock.now)
        }
        state.duration += growth.duration
        return RecordedGrowth(
            token: recorder.token, rendition: row, body: piece.body, units: units,
            state: .init(shift: state.window.shift, discontinuity: state.window.discontinuity), keys: keys,
            gap: gap, duration: growth.duration)
    }
}
