internal import Locking
package import Transfers

/// A client of one place in an S3 store (or a store that speaks its protocol).
///
/// Each call is tried again while its failure may pass, after a random time that grows. Every object has a key of its own and
/// is never written again, so that a request whose answer got lost may be sent once more. Safe from any thread.
package final class S3Client: Sendable {
    package let location: S3Location
    private let credentials: Lock<S3Credentials>
    private let authority: String?
    private let loop: TransferLoop
    private let retries: S3Retries
    /// The size in bytes from which an object is uploaded in parts, and the size of a part.
    let partSize: UInt64
    /// Bytes that an answer other than an object may have.
    static let largestAnswer = 16 << 20

    /// - Parameters:
    ///   - authority: a PEM file of trusted certificates in place of the system's.
    ///   - loop: runs the requests; its own, so that they and downloads do not wait for each other.
    package init(
        _ location: S3Location, credentials: S3Credentials, authority: String? = nil, loop: TransferLoop,
        retries: S3Retries = S3Retries(), partSize: UInt64 = 64 << 20
    ) {
        self.location = location
        self.credentials = Lock(credentials)
        (self.authority, self.loop, self.retries, self.partSize) = (authority, loop, retries, partSize)
    }

    /// A loop with the limits that suit an S3 store.
    package static func makeLoop() throws(TransferError) -> TransferLoop {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = 32
        return try TransferLoop(configuration: configuration)
    }

    /// Ends all requests; later ones fail.
    package func stop() async { await loop.stop() }

    /// Uses other credentials from now on.
    package func use(_ fresh: S3Credentials) { credentials.withLock { $0 = fresh } }

    /// Makes a call and returns the whole answer in memory. Temporary failures are retried.
    @discardableResult
    func answer(_ call: S3Call) async throws(S3Error) -> (TransferResponse, [UInt8]) {
        try await retried { () async throws(S3Error) in try await self.once(call) }
    }

    /// Repeats work while it fails with a temporary error, up to the limit of tries.
    func retried<Value>(
        _ work: () async throws(S3Error) -> Value
    ) async throws(S3Error) -> Value {
        var number = 0
        while true {
            do throws(S3Error) {
                return try await work()
            } catch {
                number += 1
                guard error.isTemporary, number < retries.tries else { throw error }
                guard await retries.pause(retries.delay(before: number, after: error)) else {
                    throw self.error(.cancelled)
                }
            }
        }
    }

    private func once(_ call: S3Call) async throws(S3Error) -> (TransferResponse, [UInt8]) {
        var request = signed(call)
        request.maximumBodyBytes = UInt64(Self.largestAnswer)
        let (result, body): (TransferResult, [UInt8])
        do {
            (result, body) = try await loop.fetch(request)
        } catch {
            throw self.error(error)
        }
        guard (200..<300).contains(result.response.status) else {
            throw failure(of: call, result.response, body)
        }
        return (result.response, body)
    }

    /// Sends one request and passes the answer to a sink. This function does not retry.
    func perform(_ call: S3Call, into sink: ObjectSink) async throws(S3Error) {
        do {
            _ = try await loop.perform(signed(call), into: sink)
        } catch {
            if sink.isShort { throw self.error(.tooShort) }
            if let refusal = sink.refusal { throw self.error(.receiver(refusal)) }
            throw self.error(error)
        }
        if let (response, body) = sink.failedAnswer { throw failure(of: call, response, body) }
    }

    private func signed(_ call: S3Call) -> TransferRequest {
        call.request(
            to: location, credentials.withLock { $0 }, authority: authority, at: SigningDate.now)
    }

    private func failure(of call: S3Call, _ response: TransferResponse, _ body: [UInt8]) -> S3Error {
        var failure = error(S3Answer.code(response, body: body, isAboutKey: call.key != nil))
        failure.retryAfter = response.retryAfter
        return failure
    }

    private func error(_ error: TransferError) -> S3Error {
        switch error.code {
        case .cancelled, .stopped: self.error(.cancelled)
        case .tooManyRedirects: self.error(.wrongRegion(nil))
        default: self.error(.transfer(error))
        }
    }

    func error(_ code: S3Error.Code) -> S3Error {
        S3Error(code: code, endpoint: location.endpoint, bucket: location.bucket)
    }
}

/// The number of tries of a request, and the waits between them.
package struct S3Retries: Sendable {
    /// Tries in all, 1 or more.
    package var tries: Int
    /// The longest first wait, and the longest wait of all, in seconds.
    package var first: Double
    package var longest: Double
    /// A random number of 0..<1.
    private let chance: @Sendable () -> Double
    /// Waits so many seconds; false when the task was cancelled.
    let pause: @Sendable (Double) async -> Bool

    package init(
        tries: Int = 6, first: Double = 0.2, longest: Double = 5,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        pause: @escaping @Sendable (Double) async -> Bool = S3Retries.sleep
    ) {
        (self.tries, self.first, self.longest) = (tries, first, longest)
        (self.chance, self.pause) = (chance, pause)
    }

    /// Seconds before the next try: random, up to twice as long each time, so that many clients do not retry
    /// together; never less than the store has asked for.
    func delay(before number: Int, after error: S3Error) -> Double {
        let most = min(longest, first * Double(1 << min(number - 1, 20)))
        return max(chance() * most, Double(min(error.retryAfter ?? 0, 30)))
    }

    /// Sleeps; false when the task was cancelled.
    @Sendable
    package static func sleep(_ seconds: Double) async -> Bool {
        do {
            try await Task.sleep(for: .seconds(seconds))
            return true
        } catch {
            return false
        }
    }
}
