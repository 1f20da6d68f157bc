import Locking
import TestSupport
import Testing

@testable import Transfers

/// An origin and a loop of a test's own.
struct Fixture {
    let origin: OriginServer
    let loop: TransferLoop

    init(_ configuration: TransferLoopConfiguration = TransferLoopConfiguration()) throws {
        origin = try OriginServer()
        loop = try TransferLoop(configuration: configuration)
    }

    /// A request to the origin that may reach loopback.
    func request(_ path: String) -> TransferRequest {
        var request = TransferRequest(url: origin.url(path))
        request.allowsPrivateAddresses = true
        return request
    }

    /// The code a fetch fails with, nil when it succeeds.
    func failure(of request: TransferRequest) async -> TransferError.Code? {
        do {
            _ = try await loop.fetch(request)
            return nil
        } catch {
            return error.code
        }
    }

    /// Serves 1,000 bytes at `/a.ts` with a fault and returns the code a fetch fails with.
    func failure(under fault: OriginFault) async -> TransferError.Code? {
        origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        origin.fault("/a.ts", fault)
        return await failure(of: request("/a.ts"))
    }
}

/// A sink that keeps what it is given, and can refuse or fail.
final class RecordingSink: TransferSink {
    struct Refusal: Error, Equatable {}

    private struct State {
        var responses: [TransferResponse] = []
        var bytes: [UInt8] = []
    }

    // Written on the loop's thread, read after the transfer's end; the thread sanitizer knows of the lock.
    private let state = Lock(State())
    private let acceptsStatus: Int?
    private let capacity: Int

    init(acceptsStatus: Int? = nil, capacity: Int = .max) {
        self.acceptsStatus = acceptsStatus
        self.capacity = capacity
    }

    var responses: [TransferResponse] { state.withLock { $0.responses } }
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    func begin(_ response: TransferResponse) -> TransferDecision {
        state.withLock { $0.responses.append(response) }
        return acceptsStatus.map { $0 == response.status } ?? true ? .accept : .refuse(Refusal())
    }

    func receive(_ bytes: RawSpan) throws {
        guard self.bytes.count + bytes.byteCount <= capacity else { throw Refusal() }
        unsafe bytes.withUnsafeBytes { fresh in
            state.withLock { unsafe $0.bytes.append(contentsOf: fresh) }
        }
    }
}
