import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

/// Units that are asked for in pieces, and broken off and gone on with.
struct PieceTests {
    private static let path = "/s.ts"

    /// Fetches one unit with a leash that lets pieces of `piece` bytes go; its bytes.
    private func fetch(
        _ bytes: [UInt8], from origin: OriginServer, piece: UInt64?, range: ClosedOffsetRange? = nil
    ) async throws -> [UInt8] {
        try await StoreFixture.run { fixture async throws in
            let leash = TransferLeash()
            leash.set(isUrgent: false, isPaused: false, piece: piece)
            let habits = OriginHabits()
            habits.sawRanges()
            let file = try PartialFile(creating: fixture.root.appending("unit.part"))
            var access = OriginAccess()
            access.isPrivate = true
            let unit = UnitRecord(
                kind: .segment, number: 0, start: 0, duration: 4, url: origin.url(Self.path), range: range)
            try await SegmentFetch(
                origin: try Origin(loop: fixture.store.loop, access: access), unit: unit, file: file,
                meter: ByteMeter(), checksContainer: false, leash: leash, habits: habits, sleep: { _ in }
            ).run()
            return try file.read(at: 0, count: bytes.count + 1)
        }
    }

    private func origin(_ bytes: [UInt8]) throws -> OriginServer {
        let origin = try OriginServer()
        origin.serve(Self.path, bytes: bytes)
        return origin
    }

    @Test("a unit comes in pieces, none of its bytes twice")
    func pieces() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        #expect(try await fetch(bytes, from: origin, piece: 5000) == bytes)
        let asked = origin.requests(for: Self.path).compactMap { $0.header("Range") }
        #expect(asked == ["bytes=0-4999", "bytes=5000-9999", "bytes=10000-14999", "bytes=15000-19999"])
    }

    @Test("a unit that is a range of a resource comes in pieces of it")
    func piecesOfRange() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(OriginResource.pattern(1000, seed: 4) + bytes + [1, 2, 3])
        let range = ClosedOffsetRange(offset: 1000, length: 16000)
        #expect(try await fetch(bytes, from: origin, piece: 9000, range: range) == bytes)
        #expect(origin.requests(for: Self.path).count == 2)
    }

    @Test(
        "an origin that gets pieces wrong is asked for the whole, and what is stored is right",
        arguments: [
            OriginFault.ignoreRange, .contentRange("bytes 0-4999/*"), .contentRange("bytes 3-5002/16000"),
            .truncate(after: 900), .reset(after: 900),
        ])
    func trouble(_ fault: OriginFault) async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(Self.path, fault, times: 2)
        #expect(try await fetch(bytes, from: origin, piece: 5000) == bytes)
    }

    @Test("pieces of two versions are never put together")
    func changed() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(Self.path, .changingETag, times: 2)
        #expect(try await fetch(bytes, from: origin, piece: 5000) == bytes)
    }
}
