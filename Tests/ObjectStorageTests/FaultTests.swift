import Foundation
import Locking
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("An S3 store behind a bad network", .enabled(if: ObjectServer.Engine.moto.runs))
struct FaultTests {
    /// Faults of the relay: two thousand with `S3_FAULTS=2000`.
    private static let count = Int(ProcessInfo.processInfo.environment["S3_FAULTS"] ?? "") ?? 100

    @Test("has everything that it acknowledged, and gives no truncated object")
    func faults() async throws {
        let server = try ObjectServer(.moto, faults: (0.3, Self.count))
        let fixture = try Fixture(server, tries: 4)
        let acknowledged = Lock<[Int: Int]>([:])
        let wrong = Lock(0)
        var next = 0
        while try server.faultCounts().values.reduce(0, +) < Self.count {
            await withTaskGroup(of: Void.self) { group in
                for seed in next..<next + 16 {
                    group.addTask { await Self.exchange(seed, fixture, acknowledged, wrong) }
                }
            }
            next += 16
        }
        // Without faults, each acknowledged object is there and is what was sent.
        for (seed, size) in acknowledged.withLock({ $0 }) {
            #expect(try await fixture.get("k/\(seed)", 0..<UInt64(size)) == Fixture.bytes(size, seed: seed))
        }
        #expect(acknowledged.withLock { $0.count } > next / 2 && wrong.withLock { $0 } == 0)
    }

    /// Writes an object and reads it: who gets an answer gets as many bytes as were sent.
    private static func exchange(
        _ seed: Int, _ fixture: Fixture, _ acknowledged: Lock<[Int: Int]>, _ wrong: Lock<Int>
    ) async {
        let size = 1 + seed * 7919 % 200_000
        do {
            try await fixture.put(Fixture.bytes(size, seed: seed), to: "k/\(seed)")
        } catch {
            return
        }
        acknowledged.withLock { $0[seed] = size }
        guard let got = try? await fixture.get("k/\(seed)", 0..<UInt64(size)) else { return }
        // A byte may be another one, which the hash of the unit tells; none is missing.
        if got.count != size { wrong.withLock { $0 += 1 } }
    }
}
