internal import Locking

/// A unit whose bytes are arriving: what is there can be read, the rest waited for.
package struct ArrivingFile: Sendable {
    private let file: PartialFile
    private let version: Int
    /// Says that somebody wants it, as long as this is kept.
    private let hold: (any Sendable)?

    package init(_ file: PartialFile, hold: (any Sendable)? = nil) {
        self.file = file
        self.hold = hold
        version = file.version
    }

    /// The next step of a reader at some offset.
    package enum Step: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Nothing yet.
        case wait
        /// Nothing, and there will be no more: the file is whole.
        case end
        /// Nothing, and the rest will not come.
        case failed
    }

    /// The final length in bytes, once the origin has told it.
    package var length: UInt64? {
        if file.end?.isComplete == true { return file.watermark }
        return file.isVeiled ? nil : file.expectedLength
    }

    /// Whether it ended before its first byte.
    package var hasFailed: Bool {
        guard case .failed = file.end else { return false }
        return file.watermark == 0
    }

    /// Why the rest will not come; `nil` as well when nobody fetches it any more.
    package var failure: StoreError? {
        guard case .failed(let reason) = file.end else { return nil }
        return reason
    }

    /// Why the last try failed, as long as the origin has given neither a length nor a byte; `nil` when none has.
    package var trouble: StoreError? { file.trouble }

    /// Returns when the first bytes have come, which tell whether they are media, or when there will be none.
    package func answered() async { await file.answered() }

    /// Returns when no more bytes will come, or the task is cancelled.
    ///
    /// - Returns: whether all are there.
    package func ended() async throws(StoreError) -> Bool {
        let beyond = UInt64(Int64.max / 2)
        while !Task.isCancelled {
            switch try read(at: beyond, count: 1) {
            case .end: return true
            case .failed, .bytes: return false
            case .wait: await grown(beyond: beyond)
            }
        }
        return false
    }

    /// Returns when there is something beyond `offset`, when the arrival has ended, or the task is cancelled.
    private func grown(beyond offset: UInt64) async {
        let pause = Pause()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                pause.begin(continuation)
                whenGrown(beyond: offset) { pause.end() }
            }
        } onCancel: {
            pause.end()
        }
    }

    /// At most `count` bytes from `offset` on. The last byte comes when the whole was found right: an origin that lies
    /// about the length must not make anybody take a part for the whole.
    package func read(at offset: UInt64, count: Int) throws(StoreError) -> Step {
        // The end is looked at first: bytes that come in between are then found by the read.
        let end = file.end
        let bytes = try file.read(at: offset, count: end == nil ? unchecked(from: offset, count) : count)
        guard end != nil || !file.isVeiled else { return file.version == version ? .wait : .failed }
        // What the origin sent since it started over does not go with what was read before.
        guard file.version == version else { return .failed }
        if !bytes.isEmpty { return .bytes(bytes) }
        switch end {
        case nil: return .wait
        case .complete: return .end
        case .failed: return .failed
        }
    }

    /// How many of these bytes may go out before the whole was checked.
    private func unchecked(from offset: UInt64, _ count: Int) -> Int {
        guard let length = file.expectedLength else { return count }
        return length > offset ? Int(min(UInt64(count), length - offset - 1)) : 0
    }

    /// Calls `wake` once, when there is something beyond `offset` or the arrival has ended.
    package func whenGrown(beyond offset: UInt64, wake: @escaping @Sendable () -> Void) {
        let isLast = file.expectedLength.map { offset + 1 >= $0 } ?? false
        file.whenGrown(beyond: isLast ? .max : offset, wake: wake)
    }
}

/// A wait that several may end; the first one does, also before it has begun.
private final class Pause: Sendable {
    private struct State {
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    func begin(_ waiter: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waiter = waiter }
            return state.isOver
        }
        if isOver { waiter.resume() }
    }

    func end() {
        let waiter = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waiter
        }
        waiter?.resume()
    }
}
