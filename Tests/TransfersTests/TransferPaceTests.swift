import Locking
import TestSupport
import Testing

@testable import Transfers

@Suite("The pace of a transfer")
struct TransferPaceTests {
    /// An origin, and a loop with a limit for all its transfers.
    private func fixture(_ limit: UInt64?) throws -> Fixture {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.total = limit
        return try Fixture(configuration)
    }

    @Test("may be far below a limit for longer than a stall may last")
    func belowLimit() async throws {
        let fixture = try fixture(1_000_000_000)
        let bytes = OriginResource.pattern(250_000)
        fixture.origin.serve("/a.ts", bytes: bytes)
        fixture.origin.fault("/a.ts", .rate(100_000))
        var request = fixture.request("/a.ts")
        request.stallTimeout = .seconds(1)
        #expect(try await fixture.loop.fetch(request).1 == bytes)
    }

    @Test("may be nothing at all for less than its stall timeout")
    func waiting() async throws {
        let fixture = try fixture(nil)
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .delay(milliseconds: 2_500))
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == nil)
    }

    @Test(
        "is kept by portions of 4 KiB under a low limit, and of more under a high one",
        arguments: [(40_000, false), (1_000_000_000, true)] as [(UInt64, Bool)])
    func portions(limit: UInt64, isLarge: Bool) async throws {
        let fixture = try fixture(limit)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(20_000))
        let sink = PortionSink()
        _ = try await fixture.loop.perform(fixture.request("/a.ts"), into: sink)
        #expect((sink.largest > 4 << 10) == isLarge)
    }
}

/// Notes the length of the largest portion that it is given.
private final class PortionSink: TransferSink {
    private let noted = Lock(0)
    var largest: Int { noted.withLock { $0 } }

    func begin(_ response: TransferResponse) -> TransferDecision { .accept }
    func receive(_ bytes: RawSpan) { noted.withLock { $0 = max($0, bytes.byteCount) } }
}
