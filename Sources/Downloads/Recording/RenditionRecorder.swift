internal import HLSPlaylist
internal import Locking

/// Loads the playlist of one rendition repeatedly, and enters new segments.
package final class RenditionRecorder: Sendable {
    private struct State {
        var window: LiveWindow
        var policy = ReloadPolicy()
        var updates = DeltaUpdates()
        var sections: RecordedSections
        var size: RecordedSize
        /// Seconds that are recorded.
        var duration: Double
        var target: Double
    }

    /// The findings of a load.
    private struct Found: Sendable {
        var growth: LiveGrowth
        /// The new piece; `nil` without new segments.
        var piece: RecordedPiece?
    }

    package let row: RenditionRecord
    private let recorder: LiveRecorder
    private let url: String
    private let variables: [String: String]
    private let state: Lock<State>

    /// Continues the recording in the catalog; `nil` if the rendition is not a recording.
    ///
    /// - Throws: `unreadableRecording` if it is a recording that can't be read.
    package init?(_ row: RenditionRecord, _ recorder: LiveRecorder, wish: Recording) throws(StoreError) {
        let (catalog, token) = (recorder.parts.store.catalog, recorder.token)
        guard row.hasPlaylist, row.failure == nil,
            let place = try catalog.recordings.recordedStates(of: token)[row.name]
        else { return nil }
        guard let (recorded, url) = try catalog.renditions.mediaPlaylist(token, row.name) else {
            throw StoreError(.unreadableRecording(row.name, PlaylistError(code: .empty, line: 0)))
        }
        self.row = row
        self.recorder = recorder
        self.url = url
        variables = try catalog.renditions.variables(of: token)
        let duration = recorded.duration
        let sections = try catalog.units.outlines(of: row.id).filter { $0.kind == .initialization }.map(
            \.number)
        state = Lock(
            State(
                window: LiveWindow(
                    after: recorded, shift: place.shift, discontinuity: place.discontinuity,
                    room: wish.duration.map { $0 - duration }),
                sections: RecordedSections(recorded.initializationSections, units: Set(sections)),
                size: RecordedSize(recorded),
                duration: duration,
                target: Double(recorded.targetDuration)))
    }

    /// Records until the stream has ended, the requested length is recorded, or loading has failed for too long.
    package func run() async throws(StoreError) -> RecordingEnd {
        var waited = 0.0
        while true {
            let began = SteadyClock.seconds
            let step: ReloadPolicy.Step
            do throws(StoreError) {
                let playlist = try await load(after: waited)
                recorder.parts.links.came(recorder.token, row.name)
                recorder.parts.board.recovered(recorder.token, part)
                guard let found = try taken(playlist) else { return .limit }
                let growth = found.growth
                try await enter(found)
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
                tell(step, after: error)
            }
            if recorder.isFinishing { return .ended }
            guard case .wait(let seconds) = step else {
                if case .end(let end) = step { return end }
                return .gone
            }
            waited = seconds
            do { try await recorder.parts.wait(seconds) } catch { throw StoreError(.stopped(.cancelled)) }
        }
    }

    private var base: URIReference { URIReference(url) }

    /// The name of the playlist for failures of the recording.
    private var part: String { "playlist \(row.name)" }

    /// Reports a failed load.
    private func tell(_ step: ReloadPolicy.Step, after error: StoreError) {
        let (board, token) = (recorder.parts.board, recorder.token)
        guard case .wait(let seconds) = step else { return board.recovered(token, part) }
        board.failed(token, part, wait: state.withLock { $0.policy.wait(error, seconds) })
    }

    private func afterFailure(_ error: StoreError, elapsed: Double) throws(StoreError) -> ReloadPolicy.Step {
        switch error.errorClass {
        case .disk, .engine: throw error
        case .auth where recorder.parts.links.ask(recorder.token, for: .playlist(row.name)): throw error
        default: break
        }
        guard recorder.parts.conditions.isOnline(url) else { throw error }
        return state.withLock { state in
            state.policy.failed(
                error, target: state.target, elapsed: elapsed, chance: .random(in: 0..<1))
        }
    }

    private func load(after waited: Double) async throws(StoreError) -> MediaPlaylist {
        let began = SteadyClock.seconds
        let passesCaches = state.withLock { $0.policy.passesCaches(waited: waited, target: $0.target) }
        var playlist: MediaPlaylist?
        if let address = state.withLock({ $0.updates.address(url, now: began) }) {
            playlist = try await update(from: address, began, passesCaches)
        }
        if playlist == nil { playlist = try await loaded(url, began: began, passesCaches: passesCaches) }
        // It is `nil` if the origin skips segments although no delta update was requested.
        guard let playlist else { throw StoreError(.ineligible(.empty), url: base.redacted) }
        state.withLock { $0.target = Double(max(playlist.targetDuration, 1)) }
        return playlist
    }

    /// The playlist by a delta update; `nil` if the whole playlist must be loaded.
    private func update(
        from address: String, _ began: Double, _ passesCaches: Bool
    ) async throws(StoreError) -> MediaPlaylist? {
        do throws(StoreError) {
            return try await loaded(address, began: began, passesCaches: passesCaches)
        } catch {
            switch error.code {
            case .status(400..<500, nil), .playlist, .ineligible:
                state.withLock { $0.updates.refused() }
                return nil
            default: throw error
            }
        }
    }

    /// The playlist at an address, joined with the one before; `nil` if they do not fit together.
    private func loaded(
        _ address: String, began: Double, passesCaches: Bool
    ) async throws(StoreError) -> MediaPlaylist? {
        let answer = try await recorder.origin.reloadedPlaylist(address, passingCaches: passesCaches)
        let playlist = try parsed(answer.bytes)
        return state.withLock { state in
            let whole = state.updates.take(playlist, context, at: began)
            let end = (whole ?? playlist).endDate
            state.policy.answered(
                age: answer.age, lag: end.map { SteadyClock.seconds - $0 }, passedCaches: passesCaches,
                target: Double(max(playlist.targetDuration, 1)))
            return whole
        }
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

    /// The findings of a load; `nil` if there is no space for them. A playlist from which the recording can't
    /// continue, or whose lines could not be read again, counts as unreadable: nothing of it is taken.
    private func taken(_ playlist: MediaPlaylist) throws(StoreError) -> Found? {
        do throws(PlaylistError) {
            return try state.withLock { state throws(PlaylistError) -> Found? in
                var window = state.window
                let growth = try window.take(playlist, base: base)
                let piece = try piece(of: growth, from: state.window.next)
                if let piece {
                    let size = state.size.adding(RecordedSize(piece.playlist))
                    guard size.fits(recorder.parts.conditions.recordingLimits) else { return nil }
                    state.size = size
                }
                state.window = window
                return Found(growth: growth, piece: piece)
            }
        } catch {
            throw StoreError(.playlist(error), url: base.redacted)
        }
    }

    private func piece(of growth: LiveGrowth, from number: Int) throws(PlaylistError) -> RecordedPiece? {
        guard !growth.entries.isEmpty || !growth.tags.isEmpty else { return nil }
        let source = SourcePlaylist(
            rendition: row.name, url: url,
            body: RecordedPlaylist.piece(growth, isFirst: false)
        ).hiding(growth.namedKeys(base: base))
        return try RecordedPiece(source.body, from: number)
    }

    /// Gets the keys, then enters everything in one transaction. After that, the transfers may begin.
    private func enter(_ found: Found) async throws(StoreError) {
        guard let piece = found.piece else { return }
        let growth = found.growth
        let keys = try await recorder.keys.records(for: growth.keys(base: base))
        let made = state.withLock { make(growth, piece, keys: keys, state: &$0) }
        if !keys.isEmpty { try recorder.grantLicense() }
        try recorder.parts.store.catalog.recordings.grow(made, at: recorder.parts.store.now)
        let renewed = keys.filter { $0.renewAt != nil }
        let owner = recorder.parts.owner.owner
        if !renewed.isEmpty { owner?.received(renewed, of: recorder.token) }
        owner?.hasGrown(recorder.token)
        recorder.found(growth.tags, base: base)
        recorder.feed(made.units.filter { $0.state == .missing }.map { UnitJob(unit: $0, rendition: row) })
    }

    private func make(
        _ growth: LiveGrowth, _ piece: RecordedPiece, keys: [KeyRecord], state: inout State
    ) -> RecordedGrowth {
        let units = RecordedPlaylist.units(
            of: piece.playlist, start: state.duration, sections: &state.sections)
        let gap = growth.gap.map { gap in
            RecordingGap(
                rendition: row.name, number: gap.number, count: gap.count, start: state.duration,
                duration: growth.entries.prefix(gap.count).reduce(0) { $0 + $1.duration },
                reason: gap.reason.rawValue, at: recorder.parts.store.now)
        }
        state.duration += growth.duration
        return RecordedGrowth(
            token: recorder.token, rendition: row, body: piece.body, units: units,
            state: .init(shift: state.window.shift, discontinuity: state.window.discontinuity), keys: keys,
            gap: gap, duration: growth.duration)
    }
}
