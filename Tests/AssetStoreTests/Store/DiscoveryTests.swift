import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

/// The first reader that sees damage writes it to the catalog.
struct DiscoveryTests {
    /// The events of an asset that tell of damage and health, in words.
    private func events(_ fixture: StoreFixture, _ token: AssetToken) throws -> [String] {
        try fixture.store.catalog.events.all(after: 0, limit: 100).filter { $0.token == token }.compactMap {
            $0.kind == .damaged || $0.kind == .health ? "\($0.kind.rawValue) \($0.reason ?? "")" : nil
        }
    }

    private func untilDamaged(_ fixture: StoreFixture, _ token: AssetToken) async throws {
        while try events(fixture, token).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static let told = ["damaged 1 file is gone or changed", "health damaged"]

    @Test("a listing that finds a file gone makes it known: the health, an event, the catalog")
    func listing() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            let whole = try fixture.store.reader.requireAsset(token)
            #expect(whole.health == Health(level: .sound))
            try FileSystem.unlink(fixture.path(token, "video/2.ts"))
            let listed = try #require(try fixture.store.reader.assets().first)
            #expect(listed.state == .complete && listed.health.level == .damaged)
            #expect(listed.health.problems.map(\.kind) == [.segmentMissing])
            #expect(listed.health.problems.map(\.start) == [8])
            let row = listed.renditions[0]
            #expect(row.storedSegments == row.segments - 1 && !row.isComplete && listed.progress < 1)
            #expect(row.storedBytes < whole.renditions[0].storedBytes)
            try await untilDamaged(fixture, token)
            #expect(try events(fixture, token) == Self.told)
            let known = try #require(try fixture.store.reader.progress(of: token))
            #expect(known.health == listed.health)
            #expect(try await fixture.store.housekeeper.figures().health == [.damaged: 1])
        }
    }

    @Test("events report revoked and renewed keys as the asset object does")
    func keys() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = OriginResource.pattern(16)
            fixture.origin.serveStream("/v", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", key: key)
            fixture.origin.serve("/v/k", bytes: key)
            let token = try await fixture.download("/v/index.m3u8").token
            try fixture.store.licenses.revoke(token)
            #expect(try fixture.store.reader.requireAsset(token).health.level == .incomplete)
            #expect(try events(fixture, token) == ["health incomplete"])
            try await fixture.store.renewLicense(of: token)
            #expect(try fixture.store.reader.requireAsset(token).health.level == .sound)
            #expect(try events(fixture, token) == ["health incomplete", "health sound"])
        }
    }

    @Test("a player's request for a missing file makes the damage known, without any listing")
    func playing() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            _ = try fixture.store.reader.media.unit(token, "video", named: .segment(1), extension: "ts")
            try await untilDamaged(fixture, token)
            #expect(try events(fixture, token) == Self.told)
        }
    }

    @Test(
        "a process that only looks makes it known, where no engine works on the store; repair makes it sound",
        .ofSQLite)
    func withoutEngine() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v")
        let token = try await fixture.download("/v/index.m3u8").token
        try FileSystem.unlink(fixture.path(token, "video/1.ts"))
        let other = try StoreReader(root: fixture.root)
        #expect(try other.requireAsset(token).health.level == .damaged)
        #expect(other.noteDiscoveries() == [token], "an engine works on the store, which has to be asked")
        await fixture.store.stop()
        #expect(other.noteDiscoveries() == [])
        let known = try #require(try StoreReader(root: fixture.root).progress(of: token))
        #expect(known.health.problems.map(\.advice) == [.repair])
        let again = try StoreFixture(in: fixture.folder, origin: fixture.origin)
        #expect(try events(again, token) == Self.told)
        try await again.store.repair(token)
        await again.store.untilSettled(token)
        #expect(try events(again, token) == Self.told + ["health sound"])
        #expect(try again.store.reader.requireAsset(token).health == Health(level: .sound))
        await again.store.stop()
    }

    @Test("verify reports damage once, and its findings stay reported until they are repaired")
    func verifying() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            for _ in 0..<2 { #expect(try await !fixture.store.verify(token).isSound) }
            #expect(try events(fixture, token) == Self.told)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.blockedBy == [.segmentDamaged])
            #expect(asset.health.problems.map(\.advice) == [.repair])
        }
    }

    @Test("two simultaneous checks that find the same damage report it once")
    func twice() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.store.parts.tamperWatch.stop()
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "video"))
            let unit = try fixture.store.catalog.units.all(of: row.id)[1]
            for _ in 0..<2 {
                try fixture.store.catalog.units.noteDamage(
                    to: token, [AbsentRow(unit, of: row, isGone: true)], reason: Damage.reason(1),
                    at: Timestamp(milliseconds: 1))
            }
            #expect(try events(fixture, token) == Self.told)
        }
    }

    @Test("media that an older version stored without a look are looked at, and found to be none")
    func older() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v")
        let token = try await fixture.download("/v/index.m3u8").token
        // No watch has seen it.
        fixture.store.parts.tamperWatch.stop()
        let junk = OriginResource.pattern(1880)
        try fixture.replaceAsOlderVersion(token, "video", 1, with: junk)
        await fixture.store.stop()
        let again = try StoreFixture(in: fixture.folder, origin: fixture.origin)
        await again.store.start()
        while try events(again, token).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let asset = try again.store.reader.requireAsset(token)
        #expect(asset.health.problems.map(\.kind) == [.undecodable])
        #expect(asset.availability.blockedBy == [.undecodable])
        #expect(asset.availability.fromStartUntil == 4)
        let result = try await again.store.verify(token)
        #expect(result.undecodable == ["video/1.ts"] && result.damaged == [] && !result.isSound)
        try await again.store.repair(token)
        await again.store.untilSettled(token)
        #expect(try again.store.reader.requireAsset(token).health == Health(level: .sound))
        await again.store.stop()
    }
}
