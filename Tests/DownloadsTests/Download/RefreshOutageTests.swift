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

/// Addresses that expire while their origin can't name fresh ones for the moment.
@Suite(.timeLimit(.minutes(2)))
struct RefreshOutageTests {
    /// Playlists that answer 500 for so many reads of them that one look, or all of them, fail.
    private static let oneLook = Origin.patientTries
    private static let looks = 3

    /// Downloads a stream whose last segments of video and subtitles are refused, but come from the addresses that
    /// the playlists name from then on.
    ///
    /// - Parameters:
    ///   - refused: the paths that are refused.
    ///   - broken: the playlists that fail then, with the number of failures.
    private func download(
        refused: [String], broken: [(path: String, times: Int)],
        _ body: (StoreFixture, Asset) throws -> Void
    ) async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let origin = fixture.origin
            origin.serveSubtitledStream()
            origin.serveStream("/new", count: 4)
            origin.serveSubtitles("/new")
            for path in refused { origin.fault(path, .status(403)) }
            origin.fault("/v/s0.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/master.m3u8")
            try await eventually { !origin.requests(for: "/v/s0.ts").isEmpty }
            origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s0.ts", "/new/s1.ts", "s2.ts", "/new/s3.ts"]))
            origin.serve("/s/index.m3u8", text: Playlists.media(["s0.vtt", "/new/s1.vtt"], seconds: 8))
            for (path, times) in broken { origin.fault(path, .status(500), times: times) }
            origin.release()
            await fixture.store.untilSettled(token)
            try body(fixture, try fixture.store.reader.requireAsset(token))
        }
    }

    @Test(
        "refused segments are tried with fresh addresses also if a playlist can't be read at first",
        arguments: ["/v/s1.ts", "/s/s1.vtt"], ["/master.m3u8", "/v/index.m3u8", "/s/index.m3u8"])
    func outage(_ refused: String, _ broken: String) async throws {
        try await download(refused: [refused], broken: [(broken, Self.oneLook)]) { _, asset in
            #expect(asset.state == .complete)
            #expect(asset.renditions.allSatisfy { $0.isComplete && $0.failure == nil })
        }
    }

    @Test(
        "fresh addresses of the video are taken while the playlist of subtitles can't be read, in the last look, too"
    )
    func partly() async throws {
        let broken = [("/master.m3u8", 2 * Self.oneLook), ("/s/index.m3u8", .max)]
        try await download(refused: ["/v/s1.ts", "/s/s1.vtt"], broken: broken) { fixture, asset in
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(
                asset.renditions.contains { $0.kind == .subtitles && $0.failure?.contains("403") == true })
            #expect(fixture.origin.requests(for: "/new/s1.ts").count == 1)
        }
    }

    @Test(
        "a playlist that can't be read is tried in three looks, and then the download fails with the refusal")
    func forGood() async throws {
        try await download(refused: ["/v/s3.ts"], broken: [("/master.m3u8", .max)]) { fixture, asset in
            #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
            let reads = fixture.origin.requests(for: "/master.m3u8").count
            #expect(reads == 1 + Self.looks * Self.oneLook)
            #expect(fixture.origin.requests(for: "/v/s3.ts").count == Self.looks)
        }
    }

    @Test(
        "a playlist host that keeps asking for a pause does not count as a host without the stream"
    )
    func held() async throws {
        let (clock, media) = (ManualClock(), try OriginServer())
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            let bytes = media.serveStream("/v", count: 2)
            let origin = fixture.origin
            origin.serve(
                "/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"].map { media.url("/v/\($0)") }))
            media.fault("/v/s1.ts", .status(403))
            media.fault("/v/s0.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/index.m3u8")
            try await eventually { !media.requests(for: "/v/s0.ts").isEmpty }
            media.serve("/new.ts", bytes: bytes[1])
            origin.serve(
                "/index.m3u8", text: Playlists.media(["/v/s0.ts", "/new.ts"].map { media.url($0) }))
            let url = origin.url("/index.m3u8")
            let rounds = 2 * Self.looks
            origin.fault("/index.m3u8", .status(503, headers: ["Retry-After: 99"]), times: rounds)
            media.release()
            try await fixture.untilWaiting(token, for: "origin")
            let cooldowns = fixture.store.context.origins.cooldowns
            try await eventually {
                if let window = cooldowns.window(for: url) { cooldowns.waited(window) }
                clock.pass(.seconds(100))
                return try fixture.store.reader.requireAsset(token).state.isTerminal
            }
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(media.requests(for: "/v/s1.ts").count == 1 + rounds)
        }
        media.stop()
    }

    @Test(
        "a fresh address of which a playlist can't be read for the moment changes nothing, and the user is told why"
    )
    func given() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveSubtitledStream()
            fixture.origin.fault("/v/s0.ts", .status(403))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .failed)
            fixture.origin.serveSubtitledStream("/new")
            let url = fixture.origin.url("/new/master.m3u8")
            fixture.origin.fault("/new/s/index.m3u8", .status(500))
            let error = await #expect(throws: StoreError.self) {
                try await fixture.store.relink(asset.token, to: url)
            }
            guard case .status(500, _)? = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try fixture.store.reader.requireAsset(asset.token).sourceURL == asset.sourceURL)
            fixture.origin.clearFaults("/new/s/index.m3u8")
            try await fixture.store.relink(asset.token, to: url)
            await fixture.store.untilSettled(asset.token)
            #expect(try fixture.store.reader.requireAsset(asset.token).state == .complete)
        }
    }
}
