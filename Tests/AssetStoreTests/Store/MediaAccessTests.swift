import ASCII
import ModelTestSupport
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
@testable import StorePlanning
@testable import StoreReading

@Suite("Media that a player waits for", .timeLimit(.minutes(2)))
struct MediaAccessTests {
    /// The state of an asset's download, its reason, and whether its media are fetched for a player, without and with
    /// the permission to ask the origin at any time.
    private static let cases: [(AssetState, String?, Bool, Bool)] = [
        (.downloading, nil, true, true), (.queued, nil, true, true), (.queued, "slot", true, true),
        (.queued, "schedule", false, true), (.paused, nil, false, true), (.cancelled, nil, false, true),
        (.failed, nil, false, true), (.complete, nil, false, true), (.resolving, nil, false, false),
        (.removing, nil, false, false),
    ]

    private func unit(_ fixture: StoreFixture, _ token: AssetToken) throws -> AbsentUnit {
        let answer = try fixture.store.reader.media.unit(
            token, "video", named: .segment(0), extension: "ts")
        guard case .absent(let unit) = answer else { throw StoreError(.notWhole(token)) }
        return unit
    }

    @Test(
        "are fetched while their asset downloads or waits for its turn, and else only if that is permitted",
        arguments: [false, true])
    func demand(_ isPermitted: Bool) async throws {
        try await StoreFixture.run {
            if isPermitted { $0.originFallback = .always }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            // The segment is never had, so that each request is a new one.
            fixture.origin.fault("/v/s0.ts", .holdHeader)
            var wanted = try unit(fixture, token)
            for (state, reason, usually, ifPermitted) in Self.cases {
                (wanted.state, wanted.reason) = (state, reason)
                let file = await fixture.store.media.demand(wanted)
                #expect((file != nil) == (isPermitted ? ifPermitted : usually), "\(state) \(reason ?? "")")
            }
        }
    }

    @Test("count as a play of their asset, unless they are fetched for something else")
    func counted() async throws {
        try await StoreFixture.run {
            $0.originFallback = .always
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            fixture.origin.fault("/v/s0.ts", .holdHeader)
            let answer = try fixture.store.reader.media.unit(
                token, "video", named: .segment(0), extension: "ts", counts: false)
            guard case .absent(let wanted) = answer else {
                Issue.record("it is stored")
                return
            }
            let log = fixture.store.reader.players.log
            _ = await fixture.store.media.demand(wanted, counts: false)
            #expect(log.lastPlay(of: token) == nil)
            _ = await fixture.store.media.demand(wanted)
            #expect(log.lastPlay(of: token) != nil)
        }
    }

    @Test("arrive whole when nothing but the player asks for them")
    func arrives() async throws {
        try await StoreFixture.run {
            $0.originFallback = .always
        } _: { fixture async throws in
            let bytes = fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            let demanded = try await fixture.store.media.demand(unit(fixture, token))
            let file = try #require(demanded)
            #expect(try await file.whole() == bytes[0])
        }
    }

    @Test("are refused as files when the license of an encrypted asset has ended")
    func files() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let media = asset.fixture.store.media
            #expect(try media.refusalOfFiles(asset.token) == nil)
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(60))
            // It may be played to its end, but is not decrypted any more.
            #expect(try asset.refusalWhenIdle() == nil)
            #expect(try media.refusalOfFiles(asset.token) == .expired)
            let error = await failure { _ = try asset.fixture.clear(.segment(0), "ts", of: asset.token) }
            guard case .license(.expired, asset.token)? = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("are decrypted if their keys are named, and are left as they are if none is")
    func whole() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Licensed.key)
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
            fixture.origin.serveStream("/v", count: 1, tags: tag, key: Licensed.key)
            let clear = fixture.origin.serveStream("/w", count: 1)
            let one = try await fixture.download("/v/index.m3u8").token
            #expect(try fixture.clear(.segment(0), "ts", of: one) == clear[0])
            let two = try await fixture.download("/w/index.m3u8").token
            #expect(try fixture.clear(.segment(0), "ts", of: two) == [])
            #expect(
                try fixture.store.media.initializationSection(neededBy: .segment(0), two, "video") == nil)
        }
    }

    /// A stream of one fragment whose encryption only its initialization section tells.
    private func fragment(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serve("/init.mp4", bytes: try SampleMedia.file("cenc-v-init.mp4"))
        fixture.origin.serve("/1.m4s", bytes: try SampleMedia.file("cenc-v1.m4s"))
        fixture.origin.serve(
            "/index.m3u8", text: Playlists.media(["1.m4s"], tags: "#EXT-X-MAP:URI=\"init.mp4\"\n"))
        let token = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }.token
        let key = Secret.key(Hexadecimal.bytes("00112233445566778899aabbccddeeff") ?? [])
        let identifier = Hexadecimal.bytes("aabbccddaabbccddaabbccddaabbccdd") ?? []
        try fixture.store.licenses.addKey(key, identifier: identifier, to: token)
        return token
    }

    @Test("as fragments are decrypted if their initialization section says that they are encrypted")
    func encryptedFragment() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await fragment(fixture)
            #expect(try !fixture.clear(.segment(0), "m4s", of: token).isEmpty)
            #expect(try !fixture.clear(.initialization(0), "mp4", of: token).isEmpty)
        }
    }

    @Test("as fragments need their initialization section until it is known, and packets need none")
    func section() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await fragment(fixture)
            let media = fixture.store.media
            #expect(
                try media.initializationSection(neededBy: .segment(0), token, "video") == .initialization(0))
            #expect(
                try media.initializationSection(neededBy: .initialization(0), token, "video") == nil)
            #expect(try media.initializationSection(neededBy: .segment(0), token, "none") == nil)
            _ = try fixture.clear(.segment(0), "m4s", of: token)
            #expect(try media.initializationSection(neededBy: .segment(0), token, "video") == nil)
        }
    }

    @Test("as fragments tell their encryption by their initialization section, if their rendition exists")
    func learnedSection() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await fragment(fixture)
            let (plans, bytes) = (fixture.store.media.plans, try SampleMedia.file("cenc-v-init.mp4"))
            let known = try plans.learn(bytes, of: token, rendition: "video", section: 0)
            #expect(known?.container == .m4s && known?.tracks[0]?.isEmpty == false)
            let unknown = try plans.learn(bytes, of: token, rendition: "none", section: 0)
            #expect(unknown?.container == nil)
        }
    }

    @Test("as fragments without encryption are left as they are")
    func clearFragment() async throws {
        try await StoreFixture.run { fixture async throws in
            let start = SampleMedia.movie([(id: 1, handler: "vide", entry: SampleMedia.avcEntry())])
            fixture.origin.serve("/init.mp4", bytes: start)
            fixture.origin.serve("/1.m4s", bytes: SampleMedia.fragment(of: 1, [SampleMedia.avcSample()]))
            fixture.origin.serve(
                "/index.m3u8", text: Playlists.media(["1.m4s"], tags: "#EXT-X-MAP:URI=\"init.mp4\"\n"))
            let token = try await fixture.download("/index.m3u8").token
            let answer = try fixture.store.reader.media.unit(
                token, "video", named: .segment(0), extension: "m4s")
            guard case .stored(let file) = answer else {
                Issue.record("not stored")
                return
            }
            let clear = try fixture.store.media.clear(
                file, of: token, rendition: "video", named: .segment(0), counts: true)
            #expect(clear == nil)
        }
    }
}
