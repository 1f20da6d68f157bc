import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

/// Units that rest after a failure, and players that want them.
@Suite(.timeLimit(.minutes(1)))
struct RestingUnitTests {
    private static let bytes = OriginResource.pattern(16000, seed: 3)

    /// Fetches a unit whose rests take hours; its bytes.
    private func fetch(
        from origin: OriginServer,
        meanwhile: @escaping @Sendable (PartialFile, TransferLeash) async throws -> Void
    ) async throws -> [UInt8] {
        try await UnitFetch(
            origin: origin, sleep: RetryPause { _ in try await Task.sleep(for: .seconds(10_000)) }
        )
        .run(meanwhile: meanwhile)
    }

    private func origin(failing fault: OriginFault, times: Int) throws -> OriginServer {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: Self.bytes)
        origin.fault(UnitFetch.path, fault, times: times)
        return origin
    }

    /// A player begins to wait for the unit when it rests.
    private static func want(_ file: PartialFile, _ leash: TransferLeash) async throws {
        while !file.isResting { try await Task.sleep(for: .milliseconds(2)) }
        leash.set(isUrgent: true, isWaitedFor: true, isPaused: false, piece: nil)
    }

    @Test(
        "a unit that rests is tried at once when a player wants it",
        arguments: [
            OriginFault.status(503), .status(503, headers: ["Retry-After: 3000"]), .truncate(after: 5000),
        ])
    func wanted(_ fault: OriginFault) async throws {
        let origin = try origin(failing: fault, times: 1)
        let fetched = try await fetch(from: origin) { try await Self.want($0, $1) }
        #expect(fetched == Self.bytes)
        #expect(origin.requests(for: UnitFetch.path).count == 2)
    }

    @Test("a retry before its time, for players, does not count as a try")
    func impatience() async throws {
        let tries = 3 * RetryPolicy.usualTries
        let fault = OriginFault.status(503, headers: ["Retry-After: 3000"])
        let origin = try origin(failing: fault, times: tries)
        let fetched = try await fetch(from: origin) { file, leash in
            for asked in 1...tries {
                while origin.requests(for: UnitFetch.path).count < asked {
                    try await Task.sleep(for: .milliseconds(2))
                }
                try await Self.want(file, leash)
                leash.set(isUrgent: true, isPaused: false, piece: nil)
            }
        }
        #expect(fetched == Self.bytes)
        #expect(origin.requests(for: UnitFetch.path).count == tries + 1)
    }
}
