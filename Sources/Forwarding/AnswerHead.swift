internal import Locking
internal import Transfers

/// Receives the status and the header fields of an answer, and refuses its body.
final class AnswerHead: TransferSink {
    struct BodyRefused: Error {}

    private let state = Lock<TransferResponse?>(nil)
    /// The answer; `nil` if none came.
    var response: TransferResponse? { state.withLock(\.self) }

    func begin(_ response: TransferResponse) -> TransferDecision {
        state.withLock { $0 = response }
        // An answer without a body leaves the connection open for the next request.
        return response.status == 304 ? .accept : .refuse(BodyRefused())
    }

    func receive(_ bytes: RawSpan) {}
}
