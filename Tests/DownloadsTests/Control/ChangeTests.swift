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
@testable import StoreReading

/// Requests of players while an asset gets another address.
@Suite(.timeLimit(.minutes(2)))
struct ChangeTests {
    private let folder: TemporaryDirectory
    private let origin: OriginServer
    /// The server of the link resolver.
    private let desk: OriginServer

    init() throws {
        (folder, origin, desk) = (try TemporaryDirectory(), try OriginServer(), try OriginServer())
    }

    /// A store whose link resolver does not answer at once.
    private func store(
        _ configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) throws -> StoreFixture {
        let address = desk.url("/resolve")
        let settings = #"{"link_resolver": {"url": "\#(address)"}}"#
        try folder.write(Array(settings.utf8), to: "store/config.json")
        desk.fault("/resolve", .holdHeader, times: 1)
        return try StoreFixture(in: folder, origin: origin) {
            $0.transfersPerAsset = 1
            configure(&$0)
        }
    }

    /// Serves a stream at `/old` whose segments are refused after the first two.
    private func serveOld() {
        origin.serveStream("/old", count: 4)
        for number in 2..<4 { origin.fault("/old/s\(number).ts", .status(403)) }
    }

    /// The last segment, as a player looks it up.
    private func last(of token: AssetToken, _ fixture: StoreFixture) throws -> AbsentUnit {
        let unit = try fixture.store.reader.media.unit(token, "video", named: .segment(3), extension: "ts")
        guard case .absent(let absent) = unit else { throw StoreError(.stopped(.closing)) }
        return absent
    }

    /// An asset during a call of the link resolver, and its last segment, looked up before.
    private func refused(_ fixture: StoreFixture) async throws -> (token: AssetToken, last: AbsentUnit) {
        serveOld()
        origin.fault("/old/s0.ts", .holdHeader, times: 1)
        let token = try await fixture.add("/old/index.m3u8")
        try await eventually { !origin.requests(for: "/old/s0.ts").isEmpty }
        let unit = try last(of: token, fixture)
        origin.release()
        try await fixture.untilWaiting(token, for: "link")
        try await eventually { !desk.requests(for: "/resolve").isEmpty }
        return (token, unit)
    }

    /// Checks that a waiting player got media from the fresh address, like all others.
    private func expectFresh(
        _ segment: [UInt8], in file: ArrivingFile?, _ token: AssetToken, _ fixture: StoreFixture
    ) async throws {
        let bytes = try await file?.whole()
        #expect(bytes == segment)
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        #expect(origin.requests(for: "/old/s3.ts").isEmpty)
        await fixture.store.stop()
    }

    @Test("a player that asks during a call of the link resolver gets media from the fresh address")
    func freshAddress() async throws {
        let fixture = try store()
        let media = origin.serveStream("/new", count: 4)
        desk.serve("/resolve", text: origin.url("/new/index.m3u8"))
        let (token, unit) = try await refused(fixture)
        let file = await fixture.store.media.demand(unit)
        desk.release()
        try await expectFresh(media[3], in: file, token, fixture)
    }

    @Test("when the link resolver fails, the download fails, and a waiting player is told")
    func noFreshAddress() async throws {
        let fixture = try store { $0.originFallback = .always }
        desk.fault("/resolve", .status(500))
        let (token, unit) = try await refused(fixture)
        let file = await fixture.store.media.demand(unit)
        desk.release()
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
        #expect(file?.hasFailed == true)
        #expect(origin.requests(for: "/old/s3.ts").isEmpty)
        await fixture.store.stop()
    }

    @Test(
        "a download that failed with its link resolver asks that again when it is resumed, or repaired",
        arguments: [true, false])
    func askedAgain(isResumed: Bool) async throws {
        let fixture = try store()
        desk.fault("/resolve", .status(500))
        let (token, _) = try await refused(fixture)
        desk.release()
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .failed)
        desk.clearFaults("/resolve")
        origin.serveStream("/new", count: 4)
        desk.serve("/resolve", text: origin.url("/new/index.m3u8"))
        if isResumed {
            try await fixture.store.perform(.resume, on: token)
        } else {
            try await fixture.store.repair(token)
        }
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        await fixture.store.stop()
    }

    @Test("an engine that stops while the link resolver is asked leaves the download to the next one")
    func stoppedMeanwhile() async throws {
        let first = try store()
        let (token, _) = try await refused(first)
        await first.store.stop()
        #expect(try StoreReader(root: first.root).requireAsset(token).state == .queued)
        origin.serveStream("/new", count: 4)
        desk.serve("/resolve", text: origin.url("/new/index.m3u8"))
        let second = try StoreFixture(in: folder, origin: origin) { $0.transfersPerAsset = 1 }
        await second.store.start()
        await second.store.untilSettled(token)
        #expect(try second.store.reader.requireAsset(token).state == .complete)
        await second.store.stop()
    }

    @Test("an address that expires while its download waits for a place is asked for once more")
    func expiredInQueue() async throws {
        let clock = ManualClock()
        let fixture = try store {
            $0.maximumDownloads = 1
            // One transfer for the held answer, one for later requests.
            $0.transfersPerAsset = 2
            $0.clock = clock
        }
        for name in ["/mid", "/new"] { origin.serveStream(name, count: 4) }
        for number in 2..<4 { origin.fault("/mid/s\(number).ts", .status(403)) }
        desk.serve("/resolve", text: origin.url("/mid/index.m3u8"))
        let (token, _) = try await refused(fixture)
        // The held answer is the one before.
        desk.serve("/resolve", text: origin.url("/new/index.m3u8"))
        origin.serveStream("/other", count: 1)
        origin.fault("/other/s0.ts", .holdHeader, times: 1)
        _ = try await fixture.add("/other/index.m3u8")
        try await eventually { !origin.requests(for: "/other/s0.ts").isEmpty }
        desk.release()
        try await fixture.untilWaiting(token, for: "slot")
        clock.pass(.seconds(3600))
        origin.release()
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete && asset.sourceURL == origin.url("/new/index.m3u8"))
        #expect(desk.requests(for: "/resolve").count == 2)
        await fixture.store.stop()
    }

    @Test("a final refusal makes it give up, even if its asset waits long for each slot")
    func refusedForGood() async throws {
        let clock = ManualClock()
        let fixture = try StoreFixture(in: folder, origin: origin) {
            $0.maximumDownloads = 1
            $0.clock = clock
        }
        origin.serveStream("/v", count: 1)
        origin.serveSubtitles("/t")
        for number in 0..<2 { origin.fault("/t/s\(number).vtt", .status(403)) }
        let subtitles = Playlists.rendition("SUBTITLES", "s", "en", "t/index.m3u8")
        let variant = Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)
        origin.serve("/m.m3u8", text: Playlists.master(subtitles, variant))
        origin.fault("/v/s0.ts", .holdHeader, times: 1)
        let token = try await fixture.add("/m.m3u8") { $0.selection.subtitles = .all }
        let read = origin.requests(for: "/m.m3u8").count
        for number in 1...4 {
            origin.serveStream("/other\(number)", count: 1)
            origin.fault("/other\(number)/s0.ts", .holdHeader, times: 1)
            // The first caller is served first.
            clock.pass(1)
            _ = try await fixture.add("/other\(number)/index.m3u8")
        }
        try await eventually { !origin.requests(for: "/v/s0.ts").isEmpty }
        origin.release()
        let begun = { (1...4).count { !origin.requests(for: "/other\($0)/s0.ts").isEmpty } }
        for number in 1...3 {
            try await eventually { begun() == number }
            try await fixture.untilWaiting(token, for: "slot")
            clock.pass(.seconds(61))
            origin.release()
        }
        try await eventually { begun() == 4 }
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete)
        #expect(asset.renditions.filter { $0.failure != nil }.map(\.kind) == [.subtitles])
        #expect(origin.requests(for: "/m.m3u8").count == read + 3)
        await fixture.store.stop()
    }

    @Test("a player that asks during a relink gets media from the fresh address")
    func relink() async throws {
        let fixture = try store()
        serveOld()
        let media = origin.serveStream("/new", count: 4)
        origin.fault("/old/s1.ts", .holdHeader)
        let token = try await fixture.add("/old/index.m3u8")
        try await eventually { !origin.requests(for: "/old/s1.ts").isEmpty }
        origin.fault("/new/index.m3u8", .holdHeader, times: 1)
        let address = origin.url("/new/index.m3u8")
        let relinking = Task { try await fixture.store.relink(token, to: address) }
        try await eventually { !origin.requests(for: "/new/index.m3u8").isEmpty }
        let unit = try last(of: token, fixture)
        let file = await fixture.store.media.demand(unit)
        origin.release()
        _ = try await relinking.value
        try await expectFresh(media[3], in: file, token, fixture)
    }

    @Test(
        "a user's address is used, even if the link resolver fails meanwhile or names another one",
        arguments: [true, false])
    func relinkMeanwhile(hasFailed: Bool) async throws {
        let fixture = try store()
        origin.serveStream("/new", count: 4)
        desk.serve("/resolve", text: origin.url("/old/index.m3u8"))
        if hasFailed { desk.fault("/resolve", .status(500)) }
        let (token, _) = try await refused(fixture)
        try await fixture.store.relink(token, to: origin.url("/new/index.m3u8"))
        desk.release()
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete && asset.sourceURL == origin.url("/new/index.m3u8"))
        #expect(desk.requests(for: "/resolve").count == 1)
        await fixture.store.stop()
    }

    @Test("a caller that waits for the playlists of an asset during a change gets them afterwards")
    func unresolved() async throws {
        let fixture = try StoreFixture(in: folder, origin: origin)
        origin.serveStream("/v", count: 1)
        let entered = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")], isHeld: true)
        let token = try #require(entered.tokens.first)
        await fixture.store.engine.beginChange(of: token)
        let ends = await fixture.store.engine.resolution(of: token)
        #expect(origin.requests.isEmpty)
        await fixture.store.engine.endChange(of: token)
        for await _ in ends {}
        #expect(try !fixture.store.reader.isUnresolved(token))
        await fixture.store.stop()
    }

    @Test(
        "a wait for the playlists of a changing asset ends when the engine stops"
    )
    func stopped() async throws {
        let fixture = try StoreFixture(in: folder, origin: origin)
        let entered = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")], isHeld: true)
        let token = try #require(entered.tokens.first)
        await fixture.store.engine.beginChange(of: token)
        let ends = await fixture.store.engine.resolution(of: token)
        await fixture.store.stop()
        for await _ in ends {}
        #expect(origin.requests.isEmpty)
    }
}
