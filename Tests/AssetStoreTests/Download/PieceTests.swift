import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

/// Units that are asked for in pieces, and broken off and gone on with.
struct PieceTests {
    private static let path = "/s.ts"

    /// Fetches one unit with a leash that lets pieces of `piece` bytes go; its bytes.
    private func fetch(
        _ bytes: [UInt8], from origin: OriginServer, piece: UInt64?, range: ClosedOffsetRange? = nil,
        meanwhile: @escaping @Sendable (PartialFile, TransferLeash) async throws -> Void = { _, _ in }
    ) async throws -> [UInt8] {
        try await StoreFixture.run { fixture async throws in
            let leash = TransferLeash()
            leash.set(isUrgent: false, isPaused: false, piece: piece)
            let habits = OriginHabits()
            habits.sawRanges()
            let file = try PartialFile(creating: fixture.root.appending("unit.part"))
            var access = OriginAccess()
            access.isPrivate = true
            let other = Task { try await meanwhile(file, leash) }
            defer { other.cancel() }
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

    @Test("a unit comes in pieces, none of its bytes twice, and a small rest with the last of them")
    func pieces() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        #expect(try await fetch(bytes, from: origin, piece: 5000) == bytes)
        let asked = origin.requests(for: Self.path).compactMap { $0.header("Range") }
        #expect(asked == ["bytes=0-4999", "bytes=5000-9999", "bytes=10000-15999"])
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

    @Test("a unit that is broken off goes on where it was, none of its bytes twice")
    func brokenOff() async throws {
        let bytes = OriginResource.pattern(16000, seed: 3)
        let origin = try origin(bytes)
        origin.fault(Self.path, .stall(after: 9000), times: 1)
        let fetched = try await fetch(bytes, from: origin, piece: nil) { file, leash in
            while file.watermark < 9000 { try await Task.sleep(for: .milliseconds(5)) }
            leash.interrupt()
        }
        #expect(fetched == bytes)
        let asked = origin.requests(for: Self.path)
        #expect(asked.map(\.offset) == [0, 9000])
        #expect(asked.map(\.bytesSent) == [9000, 7000])
        #expect(asked.last?.header("If-Range") != nil)
    }
}
