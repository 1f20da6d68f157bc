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

/// Segments that the origin does not have.
struct LostSegmentTests {
    @Test("a segment that is not found is asked for once more at the end, and all the rest is stored")
    func lostSegment() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 4)
            fixture.origin.remove("/v/s1.ts")
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            #expect(asset.reason == "http")
            #expect(asset.failure?.message.contains("404 Not Found") == true)
            #expect(asset.failure?.url == fixture.origin.url("/v/s1.ts"))
            #expect(
                fixture.origin.paths == [
                    "/v/index.m3u8", "/v/s0.ts", "/v/s1.ts", "/v/s2.ts", "/v/s3.ts", "/v/s1.ts",
                ])
            for number in [0, 2, 3] {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == segments[number])
            }
            #expect(!asset.availability.offline)
            #expect(asset.availability.blockedBy == [.segmentsMissing])
            #expect(asset.availability.fromStartUntil == 4)
        }
    }

    @Test("a segment that is there at the second look makes the asset complete")
    func lateSegment() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .status(404), times: 1)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }

    @Test("repair fetches missing segments and nothing else")
    func repair() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 4)
            fixture.origin.remove("/v/s2.ts")
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.forgetRequests()
            fixture.origin.serve("/v/s2.ts", bytes: segments[2])
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.failure == nil)
            #expect(fixture.origin.mediaPaths == ["/v/s2.ts"])
        }
    }

    /// A variant with subtitles.
    private func serve(_ origin: OriginServer) {
        origin.serveStream("/v", count: 3)
        origin.serveSubtitles("/s", count: 3)
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "SUBTITLES=\"s\"")))
    }

    @Test("an optional rendition that loses a segment is given up: reported, not listed, and the rest plays")
    func optionalSegment() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            fixture.origin.remove("/s/s1.vtt")
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            let subtitles = asset.renditions.first { $0.kind == .subtitles }
            #expect(subtitles?.failure?.contains("404 Not Found") == true)
            #expect(subtitles?.isComplete == false)
            let master = try fixture.master(asset.token)
            #expect(!master.contains("subtitles-en") && !master.contains("SUBTITLES"))
            #expect(try fixture.store.reader.playlists.mediaPlaylist(asset.token, "subtitles-en") == nil)
        }
    }

    @Test("repair tries a rendition again that was given up")
    func repairOptional() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            fixture.origin.fault("/s/s1.vtt", .status(404), times: 2)
            let token = try await fixture.download("/master.m3u8").token
            fixture.origin.forgetRequests()
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(fixture.origin.paths.filter { $0.hasPrefix("/v") }.isEmpty)
            #expect(fixture.origin.paths.contains("/s/s1.vtt"))
            #expect(try fixture.master(token).contains("subtitles-en/media.m3u8"))
        }
    }

    @Test("an optional rendition whose playlist can't be fetched is left out, and reported")
    func optionalPlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            fixture.origin.remove("/s/index.m3u8")
            let added = try await fixture.store.intake.add(fixture.request("/master.m3u8"))
            #expect(added.lost.count == 1)
            #expect(added.lost.first?.contains("subtitles") == true)
            await fixture.store.untilSettled(added.token)
            let asset = try fixture.store.reader.requireAsset(added.token)
            #expect(asset.state == .complete)
            #expect(asset.renditions.map(\.kind) == [.variant])
        }
    }

    @Test("a required rendition whose playlist can't be fetched makes the download fail")
    func requiredPlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            fixture.origin.remove("/v/index.m3u8")
            #expect(await fixture.refusal("/master.m3u8")?.text == "status(404, retryAfter: nil)")
            #expect(try fixture.isEmpty)
        }
    }
}
