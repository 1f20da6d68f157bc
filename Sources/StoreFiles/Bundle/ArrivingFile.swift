internal import Locking

/// A unit whose bytes are arriving: received bytes can be read, and readers can wait for the rest.
package struct ArrivingFile: Sendable {
    private let file: PartialFile
    private let version: Int
    /// Keeps the request for the unit alive as long as this value exists.
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
        /// No bytes yet.
        case wait
        /// The end of a complete file.
        case end
        /// No bytes: the transfer has failed or has begun again, so that earlier bytes do not fit.
        case failed
    }

    /// The final length in bytes; `nil` before the origin has sent it, and while the bytes may be disguised.
    package var length: UInt64? {
        if file.end?.isComplete == true { return file.watermark }
        return file.isVeiled ? nil : file.expectedLength
    }

    /// Whether the transfer failed before its first byte.
    package var hasFailed: Bool {
        guard case .failed = file.end else { return false }
        return file.watermark == 0
    }

    /// The error of the failed transfer; `nil` also if the transfer was given up.
    package var failure: StoreError? {
        guard case .failed(let reason) = file.end else { return nil }
        return reason
    }

    /// The error of the last try, until the origin has sent a length or a byte; `nil` without one.
    package var trouble: StoreError? { file.trouble }

    /// Returns when the first bytes have come and look like media, or when the transfer has ended.
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

    /// Returns when there are bytes beyond `offset`, when the transfer has ended, or when the task is cancelled.
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

    /// At most `count` bytes from `offset` on. The last byte is returned only if the check of the whole unit finds it
    /// right. So no reader takes wrong bytes, or a part after a wrong length, for the whole.
    package func read(at offset: UInt64, count: Int) throws(StoreError) -> Step {
        // The end is read before the bytes, so that bytes that arrive in between are not missed.
        let end = file.end
        let isChecked = if case .complete? = end { true } else { false }
        let bytes = try file.read(at: offset, count: isChecked ? count : unchecked(from: offset, count))
        guard end != nil || !file.isVeiled else { return file.version == version ? .wait : .failed }
        // The bytes of a restarted transfer do not fit the bytes that were read before.
        guard file.version == version else { return .failed }
        if !bytes.isEmpty { return .bytes(bytes) }
        switch end {
        case nil: return .wait
        case .complete: return .end
        case .failed: return .failed
        }
    }

    /// The number of these bytes that may be returned before the check of the whole unit.
    private func unchecked(from offset: UInt64, _ count: Int) -> Int {
        guard let length = file.expectedLength else { return count }
        return length > offset ? Int(min(UInt64(count), length - offset - 1)) : 0
    }

    /// Calls `wake` once when there are bytes beyond `offset`, or when the transfer has ended.
    package func whenGrown(beyond offset: UInt64, wake: @escaping @Sendable () -> Void) {
        let isLast = file.expectedLength.map { offset + 1 >= $0 } ?? false
        file.whenGrown(beyond: isLast ? .max : offset, wake: wake)
    }
}

/// A wait for the first of several events. An event may come before the wait begins.
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
