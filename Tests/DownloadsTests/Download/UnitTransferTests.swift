import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The transfer of a unit", .timeLimit(.minutes(1)))
struct UnitTransferTests {
    /// The fetches of a transfer, and how it ended.
    private struct Outcome {
        /// The host, the number of tries, and whether it is the unit's own address.
        var fetches: [String]
        var bytes: [UInt8]
        var failure: StoreError?
    }

    /// Runs a test with a stream in `/v`, whose redundant variant is at another origin.
    private func withPair(
        _ body: (_ fixture: StoreFixture, _ other: OriginServer, _ media: [[UInt8]]) async throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            let other = try OriginServer()
            let media = fixture.origin.serveStream("/v", count: 2)
            other.serveStream("/v", count: 2)
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.variant("v/index.m3u8", 900_000),
                    Playlists.variant(other.url("/v/index.m3u8"), 900_000)))
            try await body(fixture, other, media)
            other.stop()
        }
    }

    private static func access() -> OriginAccess {
        var access = OriginAccess()
        access.isPrivate = true
        return access
    }

    /// Fetches the first segment of an asset again, into a file of its own.
    private func transfer(_ token: AssetToken, _ fixture: StoreFixture) async throws -> Outcome {
        let catalog = fixture.store.catalog
        let row = try #require(try catalog.renditions.rendition(token, "video"))
        let unit = try #require(try catalog.units.unit(of: row.id, .segment, 0))
        let origin = try Origin(
            loop: fixture.store.parts.loop, access: Self.access(), stream: fixture.origin.url("/master.m3u8"))
        let file = PartialFile(at: fixture.root.appending("unit.part"))
        let leash = TransferLeash()
        leash.set(isUrgent: false, isPaused: false, piece: nil)
        let own = fixture.origin.url("/")
        let fetches = Lock<[String]>([])
        let transfer = UnitTransfer(
            job: UnitJob(unit: unit, rendition: row), file: file,
            failOver: FailOver(token, catalog: catalog, origin: origin) { Timestamp(milliseconds: 0) },
            pause: RetryPause { _ in }
        ) { unit, tries, isOwn in
            let host = unit.url.hasPrefix(own) ? "first" : "second"
            fetches.withLock { $0.append("\(host) \(tries) \(isOwn)") }
            return SegmentFetch(
                origin: origin, unit: unit, file: file, meter: ByteMeter(),
                inspector: UnitInspector(UnitJob(unit: unit, rendition: row)), leash: leash,
                habits: OriginHabits(), tries: tries, sleep: RetryPause { _ in })
        }
        let error = await failure { _ = try await transfer.run() }
        let bytes = try file.read(at: 0, count: Int(file.watermark))
        return Outcome(fetches: fetches.withLock(\.self), bytes: bytes, failure: error)
    }

    private let few = FailOver.tries
    private let usual = RetryPolicy.usualTries

    @Test("begins at the unit's own address, with few tries if there are others")
    func own() async throws {
        try await withPair { fixture, other, media in
            let token = try await fixture.download("/master.m3u8").token
            let outcome = try await transfer(token, fixture)
            #expect(outcome.fetches == ["first \(few) true"])
            #expect(outcome.failure == nil && outcome.bytes == media[0])
            #expect(other.requests.isEmpty)
            let playlists = fixture.origin.requests(for: "/v/index.m3u8")
            #expect(Set(playlists.map { $0.header("Cache-Control") }) == [nil], "caches may answer")
        }
    }

    @Test("has the usual number of tries if there is no other address")
    func alone() async throws {
        try await withPair { fixture, _, media in
            let token = try await fixture.download("/v/index.m3u8").token
            let outcome = try await transfer(token, fixture)
            #expect(outcome.fetches == ["first \(usual) true"])
            #expect(outcome.failure == nil && outcome.bytes == media[0])
        }
    }

    @Test("goes on at another address, which is not the unit's own")
    func elsewhere() async throws {
        try await withPair { fixture, _, media in
            let token = try await fixture.download("/master.m3u8").token
            fixture.origin.fault("/v/s0.ts", .status(404))
            let outcome = try await transfer(token, fixture)
            #expect(outcome.fetches == ["first \(few) true", "second \(few) false"])
            #expect(outcome.failure == nil && outcome.bytes == media[0])
        }
    }

    @Test("ends after all addresses if the unit's own says that it has no such unit")
    func nowhere() async throws {
        try await withPair { fixture, other, _ in
            let token = try await fixture.download("/master.m3u8").token
            fixture.origin.fault("/v/s0.ts", .status(403))
            other.fault("/v/s0.ts", .status(404))
            let outcome = try await transfer(token, fixture)
            #expect(outcome.fetches == ["first \(few) true", "second \(few) false"])
            #expect(outcome.failure?.errorClass == .auth)
            #expect(other.requests(for: "/v/s0.ts").count == 1, "it is not tried again")
        }
    }

    @Test("returns to the unit's own address if no other has it and another try there may help")
    func again() async throws {
        try await withPair { fixture, other, _ in
            let token = try await fixture.download("/master.m3u8").token
            fixture.origin.fault("/v/s0.ts", .status(503))
            other.fault("/v/s0.ts", .status(404))
            let outcome = try await transfer(token, fixture)
            #expect(
                outcome.fetches == [
                    "first \(few) true", "second \(few) false", "first \(usual) true",
                ])
            #expect(outcome.failure?.errorClass == .http)
        }
    }
}
