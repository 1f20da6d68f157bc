import Locking
import TestSupport
import Testing

@testable import ObjectStorage
@testable import Transfers

@Suite("Tries of a call to an S3 store")
struct RetryTests {
    private let origin: OriginServer
    private let waits = Lock<[Double]>([])

    init() throws { origin = try OriginServer() }

    /// A client that notes its waits instead of waiting.
    private func client(tries: Int, isWaiting: Bool = true) throws -> S3Client {
        let waits = waits
        return S3Client(
            try S3Location("s3://media", endpoint: origin.url("")),
            credentials: S3Credentials(accessKey: "a", secretKey: "s"), loop: try S3Client.makeLoop(),
            retries: S3Retries(
                tries: tries, first: 1, longest: 3, chance: { 0.5 },
                pause: { seconds in
                    waits.withLock { $0.append(seconds) }
                    return isWaiting
                }))
    }

    /// Why a client can't write an object.
    private func failure(of client: S3Client) async -> S3Error? {
        do {
            try await client.put([1], to: "k")
            return nil
        } catch {
            return error
        }
    }

    private func failure(tries: Int, isWaiting: Bool = true) async throws -> S3Error? {
        let client = try client(tries: tries, isWaiting: isWaiting)
        return await failure(of: client)
    }

    @Test("come after waits that grow up to the longest one")
    func growing() async throws {
        origin.fault("/media/k", .status(503))
        let error = try await failure(tries: 5)
        guard case .unavailable(status: 503) = error?.code else {
            Issue.record("the store is not available")
            return
        }
        #expect(waits.withLock(\.self) == [0.5, 1, 1.5, 1.5])
        #expect(origin.requests.count == 5)
    }

    @Test("come after as long a time as the store asks for, and end with the first success")
    func asked() async throws {
        origin.serve("/media/k", bytes: [])
        origin.fault("/media/k", .status(503, headers: ["Retry-After: 7"]), times: 2)
        #expect(try await failure(tries: 5) == nil)
        #expect(waits.withLock(\.self) == [7, 7])
        #expect(origin.requests.count == 3)
    }

    @Test("end with a wait that is cancelled")
    func cancelled() async throws {
        origin.fault("/media/k", .status(503))
        let error = try await failure(tries: 5, isWaiting: false)
        guard case .cancelled = error?.code else {
            Issue.record("the call was cancelled")
            return
        }
        #expect(waits.withLock(\.self) == [0.5])
        #expect(origin.requests.count == 1)
    }

    @Test("end when the client is stopped")
    func stopped() async throws {
        let stopped = try client(tries: 5)
        await stopped.stop()
        let error = await failure(of: stopped)
        guard case .cancelled = error?.code else {
            Issue.record("the client was stopped")
            return
        }
        #expect(waits.withLock(\.self) == [] && origin.requests.isEmpty)
    }

    @Test("wait in sleep, from which a cancelled task wakes at once")
    func sleep() async {
        let task = Task { await S3Retries.sleep(3_600) }
        task.cancel()
        let hasSlept = await task.value
        #expect(!hasSlept)
        #expect(await S3Retries.sleep(0))
    }
}
