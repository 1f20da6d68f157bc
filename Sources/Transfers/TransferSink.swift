internal import Locking

/// The receiver of a body. Calls come on the loop's thread, one at a time, in order; a call that blocks delays every
/// transfer of the loop.
public protocol TransferSink: AnyObject, Sendable {
    /// Decides on the response before its first body byte. Called once, for responses without a body too.
    func begin(_ response: TransferResponse) -> TransferDecision
    /// Takes the next decoded bytes of the body (16 KiB at most). An error ends the transfer.
    func receive(_ bytes: RawSpan) throws
}

/// The decision of a sink about a response's head.
public enum TransferDecision: Sendable {
    /// Take the body.
    case accept
    /// End the transfer; it fails as `refusedBySink` with this error underneath.
    case refuse(any Error)
}

/// Keeps a small body in memory; the loop caps it by the request's `maximumBodyBytes`.
final class CollectingSink: TransferSink {
    private let bytes = Lock<[UInt8]>([])

    var body: [UInt8] { bytes.withLock { $0 } }

    func begin(_ response: TransferResponse) -> TransferDecision {
        bytes.withLock { $0.reserveCapacity(Int(min(response.contentLength ?? 0, 1 << 20))) }
        return .accept
    }

    func receive(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { fresh in self.bytes.withLock { unsafe $0.append(contentsOf: fresh) } }
    }
}
