internal import HTTPDaemon
internal import Locking
internal import Transfers

/// The body of another server's answer, passed on to one client. If the client is slow, the transfer is paused: this
/// object holds at most `most` bytes and those that libcurl had already read.
final class ForwardedAnswer: TransferSink, BodySource {
    private struct State {
        /// The pieces that have arrived. The pieces before the index `first` were sent. Of the piece at `first`,
        /// `sent` bytes were sent.
        var pieces: [[UInt8]] = []
        var first = 0
        var sent = 0
        /// The number of bytes that have arrived and were not sent yet.
        var held = 0
        /// Whether the transfer has ended with the complete answer; `nil` while the answer arrives.
        var isComplete: Bool?
        var wake: (@Sendable () -> Void)?
        var task: Task<Void, Never>?

        mutating func takeWake() -> (@Sendable () -> Void)? {
            defer { wake = nil }
            return wake
        }

        private mutating func dropFirstPiece() {
            pieces[first] = []
            first += 1
            sent = 0
            // Removing pieces moves all later ones, so many are removed at once.
            guard first > 64 else { return }
            pieces.removeFirst(first)
            first = 0
        }

        /// The result of the client's next read, and the bytes for it.
        mutating func next(
            _ room: Int, _ wake: @escaping @Sendable () -> Void, limit: Duration
        ) -> (BodyStep, ArraySlice<UInt8>) {
            guard held > 0 else {
                switch isComplete {
                case true?: return (.end, [])
                case false?: return (.fail, [])
                case nil:
                    self.wake = wake
                    return (.wait(limit: limit), [])
                }
            }
            let piece = pieces[first].dropFirst(sent).prefix(room)
            sent += piece.count
            held -= piece.count
            if sent == pieces[first].count { dropFirstPiece() }
            return (.bytes, piece)
        }
    }

    private let state = Lock(State())
    let control = TransferControl()
    private let head = Awaited<Result<TransferResponse, TransferError>>()
    private static let most = 1 << 20
    private static let least = 256 << 10
    /// The longest wait for the next bytes. If nothing arrives, the transfer's own limit ends it earlier.
    private static let longestWait = Duration.seconds(120)

    /// Sends a request.
    ///
    /// - Returns: the status and the header fields of the answer. This object is then the body.
    func begin(_ request: TransferRequest, _ upstream: Upstream) async -> Result<
        TransferResponse, TransferError
    > {
        let task = Task {
            do throws(TransferError) {
                try await upstream.perform(request, into: self, self.control)
                self.end(isComplete: true)
            } catch {
                self.head.set(.failure(error))
                self.end(isComplete: false)
            }
        }
        state.withLock { $0.task = task }
        return await withTaskCancellationHandler {
            await head.value
        } onCancel: {
            task.cancel()
        }
    }

    private func end(isComplete: Bool) {
        let wake = state.withLock { state in
            state.isComplete = isComplete
            state.task = nil
            return state.takeWake()
        }
        wake?()
    }

    // MARK: The transfer's side

    func begin(_ response: TransferResponse) -> TransferDecision {
        head.set(.success(response))
        return .accept
    }

    func receive(_ bytes: RawSpan) {
        let piece = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        let wake = state.withLock { state in
            state.pieces.append(piece)
            state.held += piece.count
            // The lock is held: otherwise the client could take all bytes before the pause is set, and nothing would
            // end it.
            if state.held > Self.most { control.isPaused = true }
            return state.takeWake()
        }
        wake?()
    }

    // MARK: The client's side

    func read(
        into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void
    ) -> BodyStep {
        let room = writer.remaining
        let (step, piece) = state.withLock { state in
            let next = state.next(room, wake, limit: Self.longestWait)
            if state.held < Self.least { control.isPaused = false }
            return next
        }
        writer.append(piece)
        return step
    }

    func cancelled() {
        let task = state.withLock { state in
            (state.pieces, state.first, state.sent, state.held) = ([], 0, 0, 0)
            return state.task
        }
        task?.cancel()
    }
}
