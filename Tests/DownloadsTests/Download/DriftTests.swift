import Foundation
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Origins with a different stream in place of a partly stored one.
@Suite(.timeLimit(.minutes(2)))
struct DriftTests {
    private func run(_ body: (StoreFixture) async throws -> Void) async throws {
        try await StoreFixture.run({ $0.transfersPerAsset = 1 }, body)
    }

    /// A paused asset of six segments that has the first two.
    private func paused(
        _ fixture: StoreFixture, _ change: (inout AssetRequest) -> Void = { _ in }
    ) async throws -> (AssetToken, [[UInt8]]) {
        let media = fixture.origin.serveStream("/v", count: 6)
        fixture.origin.fault("/v/s2.ts", .holdHeader)
        let token = try await fixture.add("/v/index.m3u8", change)
        while fixture.origin.requests(for: "/v/s2.ts").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await fixture.store.perform(.pause, on: token)
        #expect(try fixture.store.reader.requireAsset(token).renditions[0].storedSegments == 2)
        fixture.origin.clearFaults("/v/s2.ts")
        fixture.origin.release()
        fixture.origin.forgetRequests()
        return (token, media)
    }

    private func resume(_ fixture: StoreFixture, _ token: AssetToken) async throws -> Asset {
        try await fixture.store.perform(.resume, on: token)
        await fixture.store.untilSettled(token)
        return try fixture.store.reader.requireAsset(token)
    }

    private func expect(_ media: [[UInt8]], in fixture: StoreFixture, _ token: AssetToken) throws {
        for (number, bytes) in media.enumerated() {
            #expect(try fixture.stored(token, "video/\(number).ts") == bytes, "segment \(number)")
        }
    }

    private func expectRefused(
        _ asset: Asset, _ fixture: StoreFixture, _ media: [[UInt8]], isMixed: Bool = false
    ) throws {
        #expect(asset.state == .failed)
        #expect(asset.failure?.code == "stream-changed" && asset.failure?.errorClass == "integrity")
        #expect(asset.failure?.message.contains("`acceptChanges(of:)` fetches the new one") == true)
        #expect(asset.health.level == (isMixed ? .damaged : .incomplete))
        #expect(asset.health.problems.map(\.kind) == [.drifted])
        #expect(asset.health.problems.map(\.rendition) == [isMixed ? "video" : nil])
        try expect(Array(media.prefix(2)), in: fixture, asset.token)
        #expect(asset.renditions[0].storedSegments == 2, "nothing of the other stream was stored")
    }

    @Test("segments that were replaced behind the same playlist are not stored beside the old ones")
    func replacedSegments() async throws {
        try await run { fixture async throws in
            let (token, old) = try await paused(fixture)
            fixture.origin.serveStream("/v", count: 6, seed: 100)
            try expectRefused(try await resume(fixture, token), fixture, old)
            let again = try await resume(fixture, token)
            try expectRefused(again, fixture, old)
            let drift = try fixture.store.catalog.health.drift(of: token)
            #expect(drift?.rendition == "video" && drift?.isMixed == false)
        }
    }

    @Test("segments of the same lengths are compared by their bytes if the origin names no versions")
    func replacedWithoutVersions() async throws {
        try await run { fixture async throws in
            for number in 0..<6 { fixture.origin.fault("/v/s\(number).ts", .noValidators) }
            let (token, old) = try await paused(fixture)
            fixture.origin.fault("/v/s2.ts", .noValidators)
            fixture.origin.serveStream("/v", count: 6, seed: 100)
            try expectRefused(try await resume(fixture, token), fixture, old)
            let asked = fixture.origin.requests(for: "/v/s0.ts") + fixture.origin.requests(for: "/v/s1.ts")
            #expect(asked.count { $0.header("Range") == nil } == 1, "one segment is compared by its bytes")
        }
    }

    @Test("a playlist of another stream is recognized even if its segments have the same names")
    func otherPlaylist() async throws {
        try await run { fixture async throws in
            let (token, old) = try await paused(fixture)
            let segments = (0..<6).map { "s\($0).ts" }
            for text in [
                Playlists.media(segments, seconds: 5), Playlists.media(Array(segments.prefix(5))),
                Playlists.media(segments + ["s6.ts"]),
                Playlists.media(["s0.ts", "s1.ts", "s2.ts", "#EXT-X-DISCONTINUITY\ns3.ts", "s4.ts", "s5.ts"]),
                Playlists.media(segments, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"),
                Playlists.media(segments, tags: "#EXT-X-MAP:URI=\"i.mp4\"\n"),
            ] {
                fixture.origin.serve("/v/index.m3u8", text: text)
                try expectRefused(try await resume(fixture, token), fixture, old)
            }
        }
    }

    @Test("when the changes are accepted, the other stream replaces everything")
    func accepted() async throws {
        try await run { fixture async throws in
            let (token, _) = try await paused(fixture) {
                $0.name = "Mine"
                $0.meta = ["a": "b"]
            }
            let new = fixture.origin.serveStream("/v", count: 8, seed: 100)
            #expect(try await fixture.store.acceptChanges(of: token))
            let asset = try await resume(fixture, token)
            #expect(asset.state == .complete && asset.availability.offline, "\(asset.failure?.message ?? "")")
            #expect(asset.duration == 32 && asset.name == "Mine" && asset.meta == ["a": "b"])
            try expect(new, in: fixture, token)
            #expect(try fixture.store.catalog.health.drift(of: token) == nil)
            #expect(try fixture.stored(token, "video/media.m3u8")?.isEmpty == false)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("changes that can't be read lose nothing")
    func unreadable() async throws {
        try await run { fixture async throws in
            let (token, old) = try await paused(fixture)
            fixture.origin.serveStream("/v", count: 6, seed: 100)
            try expectRefused(try await resume(fixture, token), fixture, old)
            fixture.origin.fault("/v/index.m3u8", .status(503))
            #expect(await failure { try await fixture.store.acceptChanges(of: token) } != nil)
            try expect(Array(old.prefix(2)), in: fixture, token)
            #expect(try fixture.store.reader.requireAsset(token).renditions[0].storedSegments == 2)
        }
    }

    @Test("accepting changes without any does nothing")
    func noChanges() async throws {
        try await run { fixture async throws in
            let (token, media) = try await paused(fixture)
            #expect(try await !fixture.store.acceptChanges(of: token))
            fixture.origin.forgetRequests()
            #expect(try await resume(fixture, token).state == .complete)
            try expect(media, in: fixture, token)
            #expect(fixture.origin.requests(for: "/v/s0.ts").allSatisfy { $0.header("Range") == "bytes=0-0" })
        }
    }

    @Test(
        "an origin without versions, or with a new one each time, is judged by its bytes",
        arguments: [OriginFault.noValidators, .changingETag, .ignoreRange, .status(403)])
    func unreliable(_ fault: OriginFault) async throws {
        try await run { fixture async throws in
            let (token, media) = try await paused(fixture)
            for number in 0..<2 { fixture.origin.fault("/v/s\(number).ts", fault) }
            #expect(try await resume(fixture, token).state == .complete)
            try expect(media, in: fixture, token)
        }
    }

    @Test("a playlist that can't be read for now does not keep a download from going on")
    func noPlaylist() async throws {
        try await run { fixture async throws in
            let (token, media) = try await paused(fixture)
            fixture.origin.fault("/v/index.m3u8", .status(503))
            #expect(try await resume(fixture, token).state == .complete)
            try expect(media, in: fixture, token)
        }
    }

    @Test("a playlist that was looked at is asked for only if it has changed")
    func conditional() async throws {
        try await run { fixture async throws in
            let (token, _) = try await paused(fixture)
            fixture.origin.fault("/v/s2.ts", .status(404))
            #expect(try await resume(fixture, token).state == .failed)
            #expect(try await resume(fixture, token).state == .failed)
            let asked = fixture.origin.requests(for: "/v/index.m3u8").map { $0.header("If-None-Match") }
            #expect(asked.count == 2 && asked[0] == nil && asked[1] != nil)
        }
    }

    @Test("the next engine notices it, too")
    func nextEngine() async throws {
        let first = try StoreFixture { $0.transfersPerAsset = 1 }
        let (token, old) = try await paused(first)
        _ = try await first.store.perform(.resume, on: [token], starts: false)
        await first.store.stop()
        first.origin.serveStream("/v", count: 6, seed: 100)
        let second = try StoreFixture(in: first.folder, origin: first.origin)
        await second.store.start()
        await second.store.untilSettled(token)
        try expectRefused(try second.store.reader.requireAsset(token), second, old)
        await second.store.stop()
    }

    @Test("a mixture of two versions is reported as such, and nothing more is added to it")
    func mixed() async throws {
        try await run { fixture async throws in
            let (token, old) = try await paused(fixture)
            fixture.origin.serve("/v/s0.ts", bytes: Media.ts(11, seed: 100))
            try expectRefused(try await resume(fixture, token), fixture, old, isMixed: true)
            #expect(try fixture.store.catalog.health.drift(of: token)?.isMixed == true)
        }
    }

    @Test("another stream that replaces the first one has the license of the first one")
    func license() async throws {
        try await run { fixture async throws in
            fixture.origin.serve("/v/k", bytes: Array(0..<16))
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
            func serve(_ seed: UInt64) {
                for number in 0..<3 {
                    let clear = Media.ts(10, seed: seed + UInt64(number))
                    fixture.origin.serve(
                        "/v/s\(number).ts",
                        bytes: SampleMedia.encrypted(clear, key: Array(0..<16), number: number))
                }
            }
            serve(1)
            fixture.origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts", "s2.ts"], tags: tags))
            fixture.origin.fault("/v/s2.ts", .status(404))
            let asset = try await fixture.download("/v/index.m3u8") {
                $0.license = LicenseTerms(rental: 3600)
            }
            #expect(asset.state == .failed)
            serve(100)
            fixture.origin.clearFaults("/v/s2.ts")
            #expect(try await fixture.store.acceptChanges(of: asset.token))
            let after = try await resume(fixture, asset.token)
            #expect(after.state == .complete)
            #expect(after.license.expiry == asset.license.expiry)
            #expect(try fixture.contentKey(asset.token, "k0") == Array(0..<16))
        }
    }
}
