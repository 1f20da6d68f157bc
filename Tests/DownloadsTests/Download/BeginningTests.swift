import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreModel

@Suite("The first bytes of a resource", .timeLimit(.minutes(1)))
struct BeginningTests {
    /// Requests the beginning of a resource of 1000 bytes.
    private func beginning(
        _ range: ClosedOffsetRange?, _ count: UInt64, ignoresRange: Bool
    ) async throws -> [UInt8] {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/s.ts", bytes: OriginResource.pattern(1000))
            if ignoresRange { fixture.origin.fault("/s.ts", .ignoreRange) }
            var access = OriginAccess()
            access.isPrivate = true
            let origin = try Origin(
                loop: fixture.store.parts.loop, access: access, stream: fixture.origin.url("/index.m3u8"))
            return try await origin.beginning(
                of: fixture.origin.url("/s.ts"), range: range, count: count, isNeeded: false)
        }
    }

    @Test(
        "are as many as were asked for, also if the origin knows no ranges and sends all of it",
        arguments: [false, true], [1, 100, 999, 1000])
    func count(ignoresRange: Bool, _ count: Int) async throws {
        let bytes = try await beginning(nil, UInt64(count), ignoresRange: ignoresRange)
        #expect(bytes == Array(OriginResource.pattern(1000)[..<count]))
    }

    @Test("are counted from the start of the unit's range, and end with it", arguments: [false, true])
    func range(ignoresRange: Bool) async throws {
        let resource = OriginResource.pattern(1000)
        let long = try await beginning(
            ClosedOffsetRange(offset: 200, length: 300), 100, ignoresRange: ignoresRange)
        #expect(long == Array(resource[200..<300]))
        let short = try await beginning(
            ClosedOffsetRange(offset: 200, length: 50), 100, ignoresRange: ignoresRange)
        #expect(short == Array(resource[200..<250]))
    }

    @Test("are all of it if it has fewer", arguments: [false, true])
    func whole(ignoresRange: Bool) async throws {
        let bytes = try await beginning(nil, 2000, ignoresRange: ignoresRange)
        #expect(bytes == OriginResource.pattern(1000))
    }
}
