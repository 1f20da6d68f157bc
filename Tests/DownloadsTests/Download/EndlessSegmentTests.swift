import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import Downloads
@testable import StoreModel

/// Segments whose length the origin does not tell, and that may have no end.
@Suite(.timeLimit(.minutes(2)))
struct EndlessSegmentTests {
    private static let media = Media.ts(1000)

    private static func origin(_ faults: OriginFault...) throws -> OriginServer {
        let origin = try OriginServer()
        origin.serve(UnitFetch.path, bytes: media)
        for fault in faults { origin.fault(UnitFetch.path, fault) }
        return origin
    }

    @Test(
        "one without a length that never ends fails as too large, and is not asked for again",
        arguments: [OriginFault.chunked, .closeDelimited])
    func endless(_ framing: OriginFault) async throws {
        let origin = try Self.origin(framing, .stall(after: 150_000))
        let error = await failure { _ = try await UnitFetch(origin: origin, limit: 100_000).run() }
        #expect(error?.message.contains("longer than 100000 bytes") == true)
        #expect(error?.isRetryable == false && error?.isWorthGoingOn == false)
        #expect(origin.requests.count == 1)
    }

    @Test("with an announced length may be larger than that, and so may a range; one without may be as large")
    func measured() async throws {
        let whole = try await UnitFetch(origin: Self.origin(), limit: 100_000).run()
        #expect(whole == Self.media)
        let size = UInt64(Self.media.count)
        let exact = try await UnitFetch(origin: Self.origin(.chunked), limit: size).run()
        #expect(exact == Self.media)
        let range = ClosedOffsetRange(offset: 0, length: 150_016)
        let part = try await UnitFetch(origin: Self.origin(.chunked), range: range, limit: 100_000).run()
        #expect(part == Array(Self.media[..<150_016]))
    }

    @Test(
        "without a length, four times the likely size is accepted, and at least 256 MiB",
        arguments: [
            (nil, 0, 268_435_456), (nil, 6, 268_435_456), (nil, 60, 480_000_000),
            (80_000_000, 12, 480_000_000), (1, 60, 480_000_000), (5_000_000, 7200, 4_294_967_296),
            (Int.max, .infinity, 4_294_967_296), (Int.min, .nan, 268_435_456),
        ] as [(Int?, Double, UInt64)])
    func limit(_ bandwidth: Int?, _ seconds: Double, _ bytes: UInt64) {
        let unit = UnitRecord(kind: .segment, number: 0, start: 0, duration: seconds, url: "")
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, bandwidth: bandwidth, listings: [],
            hasPlaylist: true, container: .ts, duration: seconds, segments: 1)
        #expect(UnitJob(unit: unit, rendition: row).unmeasuredLimit == bytes)
    }
}
