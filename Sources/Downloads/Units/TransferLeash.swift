internal import Locking
package import Transfers

/// How far the transfer of a unit may go now. On a slow line it asks for one piece at a time, so that the line is free
/// as soon as a player wants it: what is on the way already can't be stopped without loss.
package final class TransferLeash: Sendable {
    private struct State {
        var isPaused = false
        var piece: UInt64?
        /// The part on the wire: nothing, a piece, or all that is missing.
        var wire = Wire.idle
        var wasInterrupted = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether a player waits for the unit, how often one has begun to, and who is to be told of the next.
        var isWaitedFor = false
        var calls = 0
        var watcher: CheckedContinuation<Bool?, Never>?
    }

    private enum Wire {
        case idle, piece, whole
    }

    package let control = TransferControl()
    private let state = Lock(State())

    /// Whether all that is missing has been asked for at once.
    package var isWhole: Bool { state.withLock { $0.wire == .whole } }

    /// Says how to go on. A piece that is on the way comes to its end; a whole unit is paused on the wire.
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

    /// Breaks off what is on the wire; it goes on from there when it may.
    package func interrupt() {
        state.withLock { $0.wasInterrupted = true }
        control.interrupt()
    }

    /// Whether the last turn was broken off by `interrupt`; asked once.
    func takeInterruption() -> Bool {
        state.withLock { state in
            defer { state.wasInterrupted = false }
            return state.wasInterrupted
        }
    }

    /// Waits for its turn.
    ///
    /// - Parameter mayBePiece: whether a part can be asked for.
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

    /// The turn is over.
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

    /// Whether parts of a unit can be asked for and belong together.
    var allowPieces: Bool { pieces.withLock { $0 == .possible } }

    /// An answer came that names its version and offers ranges.
    func sawRanges() { pieces.withLock { if $0 == .unknown { $0 = .possible } } }

    /// Whether a kind of media that is known came of a rendition.
    func haveBroughtMedia(of rendition: Int64) -> Bool { media.withLock { $0.contains(rendition) } }

    /// A kind of media that is known came of a rendition.
    func sawMedia(of rendition: Int64) { media.withLock { _ = $0.insert(rendition) } }

    /// Whether media came wrapped in something else.
    var areDisguised: Bool { disguise.withLock { $0 } }

    /// Media came wrapped in something else, and others will.
    func sawDisguise() { disguise.withLock { $0 = true } }

    /// Whether an answer was no HTTP once: the rest of another answer may lie on every connection.
    var breakConnections: Bool { nonsense.withLock { $0 } }

    /// Notes an answer that was no HTTP.
    func sawNonsense() { nonsense.withLock { $0 = true } }

    /// A part was not answered as it should have been.
    func sawTrouble() { pieces.withLock { $0 = .impossible } }
}
