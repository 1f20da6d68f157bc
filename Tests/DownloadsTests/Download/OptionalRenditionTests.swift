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

/// Renditions that an asset can do without, when the trouble is not theirs alone.
@Suite(.timeLimit(.minutes(2)))
struct OptionalRenditionTests {
    /// Runs a test with a stream of four segments of video and two of subtitles, one transfer at a time.
    private func run(_ body: (StoreFixture) async throws -> Void) async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveSubtitledStream()
            try await body(fixture)
        }
    }

    private func expectWhole(_ fixture: StoreFixture, _ token: AssetToken) throws {
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete)
        #expect(asset.renditions.filter(\.hasPlaylist).map(\.kind) == [.variant, .subtitles])
        #expect(asset.renditions.allSatisfy { $0.isComplete && $0.failure == nil })
        #expect(try fixture.master(token).contains("subtitles-en/media.m3u8"))
    }

    @Test("subtitles whose signed addresses expire before those of the video get fresh ones, too")
    func expired() async throws {
        try await run { fixture in
            let origin = fixture.origin
            for path in ["/v/s3.ts", "/s/s1.vtt"] { origin.fault(path, .status(403)) }
            origin.fault("/v/s0.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/master.m3u8")
            try await eventually { !origin.requests(for: "/v/s0.ts").isEmpty }
            origin.serveStream("/new", count: 4)
            origin.serveSubtitles("/new")
            origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts", "s2.ts", "/new/s3.ts"]))
            origin.serve("/s/index.m3u8", text: Playlists.media(["s0.vtt", "/new/s1.vtt"], seconds: 8))
            origin.release()
            await fixture.store.untilSettled(token)
            try expectWhole(fixture, token)
            #expect(origin.requests(for: "/s/s1.vtt").count == 1)
            #expect(origin.requests(for: "/new/s1.vtt").count == 1)
        }
    }

    @Test("subtitles that are refused while the catalog takes nothing are no end of their asset")
    func unwritten() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            fixture.origin.serveSubtitledStream()
            fixture.origin.fault("/s/s1.vtt", .status(403), times: 1)
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset WHEN NEW.reason = 'link'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let token = try await fixture.add("/master.m3u8")
            try await eventually { await fixture.store.unrecordedFailure(of: token) != nil }
            try fixture.store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            try await eventually { try fixture.store.reader.requireAsset(token).state.isTerminal }
            try expectWhole(fixture, token)
        }
    }

    @Test("subtitles that are refused for good are given up after one more look at the playlists")
    func refused() async throws {
        try await run { fixture in
            fixture.origin.fault("/s/s1.vtt", .status(403))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            let subtitles = asset.renditions.first { $0.kind == .subtitles }
            #expect(subtitles?.failure?.contains("403") == true)
            #expect(fixture.origin.requests(for: "/s/s1.vtt").count == 2)
            #expect(fixture.origin.requests(for: "/master.m3u8").count == 2)
        }
    }

    @Test(
        "when many subtitles are refused for good, the video is completed first, then the playlists are read once more"
    )
    func refusedTogether() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let origin = fixture.origin
            origin.serveStream("/v", count: 4)
            var lines = [Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)]
            for language in ["de", "en", "fr"] {
                origin.serveSubtitles("/\(language)")
                origin.fault("/\(language)/s0.vtt", .status(403))
                lines.append(Playlists.rendition("SUBTITLES", "s", language, "\(language)/index.m3u8"))
            }
            origin.serve("/master.m3u8", text: "#EXTM3U\n" + lines.joined(separator: "\n") + "\n")
            let asset = try await fixture.download("/master.m3u8") { $0.selection.subtitles = .all }
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.count { $0.failure?.contains("403") == true } == 3)
            #expect(origin.requests(for: "/master.m3u8").count == 2)
            #expect(origin.requests(for: "/v/s3.ts").count == 1)
            let paths = origin.paths
            let look = try #require(paths.lastIndex(of: "/master.m3u8"))
            #expect(paths.prefix(look).contains("/v/s3.ts"))
        }
    }

    @Test(
        "of several refused subtitles, those that a fresh address has are downloaded, even if it lacks others"
    )
    func someAreGone() async throws {
        try await StoreFixture.run { _ in
        } _: { fixture async throws in
            let origin = fixture.origin
            origin.serveStream("/v", count: 1)
            origin.fault("/v/s0.ts", .holdHeader, times: 1)
            for language in ["de", "en"] {
                origin.serveSubtitles("/\(language)")
                origin.serveSubtitles("/new/\(language)")
                origin.fault("/\(language)/s0.vtt", .status(403))
            }
            func publish(_ languages: [String]) {
                let lines = languages.map { Playlists.rendition("SUBTITLES", "s", $0, "\($0)/index.m3u8") }
                let variant = Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)
                origin.serve(
                    "/master.m3u8", text: "#EXTM3U\n" + (lines + [variant]).joined(separator: "\n") + "\n")
            }
            publish(["de", "en"])
            let token = try await fixture.add("/master.m3u8") { $0.selection.subtitles = .all }
            try await eventually { !origin.requests(for: "/v/s0.ts").isEmpty }
            publish(["en"])
            let fresh = ["/new/en/s0.vtt", "/new/en/s1.vtt"]
            origin.serve("/en/index.m3u8", text: Playlists.media(fresh, seconds: 8))
            origin.release()
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            let lost = asset.renditions.filter { $0.failure != nil }
            #expect(asset.state == .complete && lost.map(\.language) == ["de"])
        }
    }

    @Test(
        "subtitles that their origin can't give for the moment are tried once more, a minute later",
        arguments: [OriginFault.status(503), .reset(after: 0)], [true, false])
    func outage(_ fault: OriginFault, isOver: Bool) async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            fixture.origin.serveSubtitledStream()
            fixture.origin.fault("/s/s1.vtt", fault, times: isOver ? RetryPolicy.usualTries : .max)
            let token = try await fixture.add("/master.m3u8")
            try await fixture.untilWaiting(token, for: "origin")
            #expect(fixture.origin.requests(for: "/v/s3.ts").count == 1)
            clock.pass(.seconds(61))
            await fixture.store.untilSettled(token)
            guard !isOver else { return try expectWhole(fixture, token) }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.contains { $0.kind == .subtitles && $0.failure != nil })
            #expect(fixture.origin.requests(for: "/s/s1.vtt").count >= 2 * RetryPolicy.usualTries)
        }
    }

    @Test("subtitles are fetched from a fresh address also when a segment of the video is lost for good")
    func besidesALostSegment() async throws {
        try await run { fixture in
            let origin = fixture.origin
            origin.fault("/v/s3.ts", .status(404))
            origin.fault("/s/s1.vtt", .status(403), times: 1)
            let asset = try await fixture.download("/master.m3u8")
            let subtitles = asset.renditions.first { $0.kind == .subtitles }
            #expect(asset.state == .failed && subtitles?.isComplete == true)
        }
    }

    /// A download that has given up the subtitles on the way, after the first segment of them, and failed then.
    private func failed(_ fixture: StoreFixture) async throws -> Asset {
        fixture.origin.fault("/s/s1.vtt", .status(400), times: 1)
        fixture.origin.fault("/v/s3.ts", .status(403))
        let asset = try await fixture.download("/master.m3u8")
        #expect(asset.state == .failed)
        #expect(asset.renditions.contains { $0.kind == .subtitles && $0.failure != nil })
        return asset
    }

    @Test("a failed download retries the renditions that it gave up when it is resumed")
    func resumed() async throws {
        try await run { fixture in
            let token = try await failed(fixture).token
            fixture.origin.clearFaults("/v/s3.ts")
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            try expectWhole(fixture, token)
        }
    }

    @Test("a fresh address of the same stream brings renditions that were given up, too")
    func relinked() async throws {
        try await run { fixture in
            let token = try await failed(fixture).token
            fixture.origin.serveSubtitledStream("/new")
            try await fixture.store.relink(token, to: fixture.origin.url("/new/master.m3u8"))
            await fixture.store.untilSettled(token)
            try expectWhole(fixture, token)
            #expect(fixture.origin.requests(for: "/new/s/s1.vtt").count == 1)
        }
    }

    @Test("subtitles that were given up and differ at the fresh address are not fetched")
    func others() async throws {
        try await run { fixture in
            let token = try await failed(fixture).token
            fixture.origin.serveSubtitledStream("/new")
            fixture.origin.serve(
                "/new/s/index.m3u8", text: Playlists.media(["s0.vtt", "s1.vtt"], seconds: 6))
            fixture.origin.forgetRequests()
            try await fixture.store.relink(token, to: fixture.origin.url("/new/master.m3u8"))
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.contains { $0.kind == .subtitles && $0.failure != nil })
            #expect(!fixture.origin.paths.contains { $0.hasSuffix(".vtt") })
        }
    }
}
