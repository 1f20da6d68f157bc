internal import Locking
internal import Transfers

/// Receives an object, or an error document.
final class ObjectSink: TransferSink {
    private struct State {
        var response: TransferResponse?
        var isObject = false
        var received: UInt64 = 0
        var document: [UInt8] = []
        var refusal: (any Error)?
        var isShort = false
    }

    /// An answer with another range than the requested one.
    struct WrongPart: Error {}

    private let state = Lock(State())
    private let range: Range<UInt64>
    private let receive: @Sendable (RawSpan) throws -> Void
    private static let largestDocument = 64 << 10

    /// - Parameter range: the requested bytes.
    init(_ range: Range<UInt64>, _ receive: @escaping @Sendable (RawSpan) throws -> Void) {
        (self.range, self.receive) = (range, receive)
    }

    /// Bytes of the object that were handed on.
    var received: UInt64 { state.withLock { $0.received } }

    /// Why the receiver did not take them.
    var refusal: (any Error)? { state.withLock { $0.refusal } }

    /// Whether the object is shorter than the range that was requested. The receiver gets no byte then.
    var isShort: Bool { state.withLock { $0.isShort } }

    /// The answer without the object, and its document.
    var failedAnswer: (TransferResponse, [UInt8])? {
        state.withLock { state in
            guard let response = state.response, !state.isObject else { return nil }
            return (response, state.document)
        }
    }

    func begin(_ response: TransferResponse) -> TransferDecision {
        let isObject = response.status == 206 || response.status == 200
        let isWhole = response.status == 200
        let size = isWhole ? response.contentLength : response.contentRange?.total
        let isShort = isObject && (size.map { $0 < range.upperBound } ?? false)
        state.withLock { ($0.response, $0.isObject, $0.isShort) = (response, isObject, isShort) }
        // A store that ignores the range would begin at the beginning.
        return isShort || isWhole && range.lowerBound > 0 ? .refuse(WrongPart()) : .accept
    }

    func receive(_ bytes: RawSpan) throws {
        guard state.withLock({ $0.isObject }) else {
            return unsafe bytes.withUnsafeBytes { fresh in
                state.withLock { state in
                    let room = max(0, Self.largestDocument - state.document.count)
                    unsafe state.document.append(contentsOf: fresh.prefix(room))
                }
            }
        }
        do {
            try receive(bytes)
        } catch {
            state.withLock { $0.refusal = error }
            throw error
        }
        state.withLock { $0.received += UInt64(bytes.byteCount) }
    }
}
