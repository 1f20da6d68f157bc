package import HTTPDaemon
package import HTTPTypes
internal import Locking
package import SystemPackage
internal import Transfers

/// Passes requests on to another server. A resource that every client may have is requested once for all clients.
///
/// ```swift
/// let forwarder = try RequestForwarder(folder: folder, size: 1 << 30)
/// let response = try await forwarder.forward(request, to: "http://films-1.example:8090")
/// ```
package final class RequestForwarder: Sendable {
    private let upstream: Upstream
    private let answers: SharedAnswers
    private let counts = Lock(Counts())

    /// Requests since the start.
    package struct Counts: Sendable, Equatable {
        /// Requests that were passed on for one client.
        package var passedOn = 0
        /// Requests that were answered from a file, or from an answer that was arriving for another client.
        package var shared = 0
        /// Requests that this server made itself: for answers to share, and to confirm kept answers.
        package var fetched = 0
        /// Answers to share whose bytes came from the bucket.
        package var objects = 0

        package init() {}
    }

    /// - Parameters:
    ///   - folder: the folder of the files that are kept. It is emptied.
    ///   - size: bytes that the files may have.
    ///   - validity: the time for which a kept answer is sent before the other server has to confirm it again.
    ///   - bucket: the bucket to read answers from; `nil` if the other server has to send all bytes itself.
    /// - Throws: `unreachable` if there is no memory or thread for the transfers.
    package init(
        folder: FilePath, size: UInt64, validity: Duration = .seconds(2), bucket: (any ObjectSource)? = nil
    ) throws(ForwardingError) {
        var configuration = TransferLoopConfiguration()
        // Each open event stream takes one transfer, so the limits are high.
        configuration.maximumTransfersPerHost = Self.most
        configuration.maximumTransfers = Self.most
        do throws(TransferError) { upstream = Upstream(try TransferLoop(configuration: configuration)) } catch
        {
            throw .unreachable
        }
        answers = SharedAnswers(folder, size: size, validity: validity, upstream, bucket: bucket)
    }

    /// The largest number of transfers at the same time.
    private static let most = 900

    package var counted: Counts {
        var counts = counts.withLock(\.self)
        (counts.fetched, counts.objects) = (answers.fetches, answers.objects)
        return counts
    }

    /// Passes a request on.
    ///
    /// - Parameters:
    ///   - address: the other server, without a slash at the end.
    ///   - fields: header fields for the other server.
    /// - Returns: the other server's answer. Its body is sent to the client while it arrives.
    package func forward(
        _ request: Request, to address: String, fields: HTTPFields = [:]
    ) async throws(ForwardingError) -> Response {
        guard let transfer = ForwardedRequest.make(request, to: address, fields: fields) else {
            throw .method
        }
        counts.withLock { $0.passedOn += 1 }
        let answer = ForwardedAnswer()
        switch await answer.begin(transfer, upstream) {
        case .success(let head): return Response(head, body: answer)
        case .failure(let error): throw ForwardingError(error)
        }
    }

    /// The answer from a kept file that needs no confirmation now; `nil` without one. Does not wait.
    package func keptAnswer(to request: Request) -> Answer? {
        let answer = answers.quickAnswer(to: request)
        if answer != nil { counts.withLock { $0.shared += 1 } }
        return answer
    }

    /// The response to a GET or HEAD request for a resource that all clients may have. An answer that another server
    /// gave before is sent if the present one confirms its entity tag.
    ///
    /// - Parameters:
    ///   - address: the other server, without a slash at the end.
    ///   - fields: header fields of this server's own request, such as its credentials.
    /// - Returns: `nil` if the answer can't be shared. Then the client's request has to be passed on.
    package func sharedResponse(
        to request: Request, at address: String, fields: HTTPFields
    ) async -> Response? {
        let own = ForwardedRequest.own(address + request.path, fields: fields)
        let response = await answers.response(to: request, own)
        if response != nil { counts.withLock { $0.shared += 1 } }
        return response
    }

    /// Ends all transfers and deletes the files.
    package func stop() async {
        await upstream.stop()
        answers.empty()
    }

    /// Ends all transfers, because the other server is gone. A client whose answer has not begun gets a refusal; the
    /// others see that their answer is incomplete.
    package func giveUp() { upstream.giveUp() }

    /// Deletes the files.
    package func empty() { answers.empty() }
}

/// The reason for which a request could not be passed on.
package enum ForwardingError: Error, Equatable {
    /// No resource of the servers has this method.
    case method
    /// The other server could not be reached. It did not receive the request.
    case unreachable
    /// The connection broke. The other server may have carried out the request.
    case broken

    init(_ error: TransferError) {
        switch error.code {
        case .resolve, .connect, .tls, .timeout, .invalidURL, .addressRefused: self = .unreachable
        default: self = .broken
        }
    }
}
