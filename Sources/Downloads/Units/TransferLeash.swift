internal import Locking
package import Transfers

/// Controls the transfer of a unit: whether it is paused, and how many bytes a request may ask for. On a slow line it
/// requests one piece at a time, so that the line is free soon when a player needs it. Bytes that are already sent
/// can't be stopped without loss.
package final class TransferLeash: Sendable {
    private struct State {
        var isPaused = false
        var piece: UInt64?
        /// The outstanding request: none, a piece, or all missing bytes.
        var wire = Wire.idle
        var wasInterrupted = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether a player waits for the unit, how often a wait has begun, and the callback for the next one.
        var isWaitedFor = false
        var calls = 0
        var watcher: CheckedContinuation<Bool?, Never>?
    }

    private enum Wire {
        case idle, piece, whole
    }

    package let control = TransferControl()
    private let state = Lock(State())

    /// Whether all missing bytes were requested at once.
    package var isWhole: Bool { state.withLock { $0.wire == .whole } }

    /// Sets the limits of the next request. The outstanding request is paused if it asks for all missing bytes; a
    /// requested piece still arrives completely.
    package func set(isUrgent: Bool, isWaitedFor: Bool = false, isPaused: Bool, piece: UInt64?) {
        control.isUrgent = isUrgent
        noteWaiting(isWaitedFor)
        let (pausesWire, waiter) = state.withLock { state in
            state.isPaused = isPaused
            state.piece = piece
            let waiter = isPaused ? nil : state.waiter
            if !isPaused { state.waiter = nil }
            return (isPaused && state.wire == .whole, waiter)
        }
        control.isPaused = pausesWire
        waiter?.resume()
    }

    private func noteWaiting(_ isWaitedFor: Bool) {
        let watcher = state.withLock { state in
            let begins = isWaitedFor && !state.isWaitedFor
            state.isWaitedFor = isWaitedFor
            guard begins else { return nil as CheckedContinuation<Bool?, Never>? }
            state.calls += 1
            defer { state.watcher = nil }
            return state.watcher
        }
        watcher?.resume(returning: true)
    }

    /// How often a player has begun to wait for the unit.
    var calls: Int { state.withLock { $0.calls } }

    /// Waits until players have begun to wait for the unit more often than `calls`.
    ///
    /// - Returns: true, or `nil` when the task was cancelled.
    func untilWaitedFor(after calls: Int) async -> Bool? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.calls != calls || Task.isCancelled { return true }
                    state.watcher = continuation
                    return false
                }
                if isOver { continuation.resume(returning: Task.isCancelled ? nil : true) }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                defer { state.watcher = nil }
                return state.watcher
            }
            watcher?.resume(returning: nil)
        }
    }

    /// Aborts the outstanding request. The next request continues after the received bytes.
    package func interrupt() {
        state.withLock { $0.wasInterrupted = true }
        control.interrupt()
    }

    /// Whether `interrupt` aborted the last request; the answer is true only once.
    func takeInterruption() -> Bool {
        state.withLock { state in
            defer { state.wasInterrupted = false }
            return state.wasInterrupted
        }
    }

    /// Waits until the transfer is not paused.
    ///
    /// - Parameter mayBePiece: whether the request may ask for a byte range.
    /// - Returns: how many bytes to ask for; `nil` for all.
    package func turn(mayBePiece: Bool) async -> UInt64? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayGo = state.withLock { state in
                    if !state.isPaused || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if mayGo { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
        control.isPaused = false
        return state.withLock { state in
            let piece = mayBePiece ? state.piece : nil
            state.wire = piece == nil ? .whole : .piece
            state.wasInterrupted = false
            return piece
        }
    }

    /// Notes that the request is over.
    package func rest() { state.withLock { $0.wire = .idle } }
}

/// The habits of an origin that a download has learned.
package final class OriginHabits: Sendable {
    private enum Pieces {
        case unknown, possible, impossible
    }

    private let pieces = Lock(Pieces.unknown)
    private let media = Lock<Set<Int64>>([])
    private let disguise = Lock(false)
    private let nonsense = Lock(false)

    /// Whether byte ranges of a unit can be requested and belong to one version.
    var allowPieces: Bool { pieces.withLock { $0 == .possible } }

    /// An answer came that names its version and offers ranges.
    func sawRanges() { pieces.withLock { if $0 == .unknown { $0 = .possible } } }

    /// Whether media of a known kind have come from a rendition.
    func haveBroughtMedia(of rendition: Int64) -> Bool { media.withLock { $0.contains(rendition) } }

    /// Notes that media of a known kind have come from a rendition.
    func sawMedia(of rendition: Int64) { media.withLock { _ = $0.insert(rendition) } }

    /// Whether media came in a disguise.
    var areDisguised: Bool { disguise.withLock { $0 } }

    /// Notes that the origin has sent media in a disguise, so that further media are expected to have one.
    func sawDisguise() { disguise.withLock { $0 = true } }

    /// Whether the origin has once sent an answer that was no HTTP. Then each connection may hold the rest of another
    /// answer.
    var breakConnections: Bool { nonsense.withLock { $0 } }

    /// Notes an answer that was no HTTP.
    func sawNonsense() { nonsense.withLock { $0 = true } }

    /// Notes that a byte-range request got a wrong answer, so that no more are made.
    func sawTrouble() { pieces.withLock { $0 = .impossible } }
}
