import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("When the keys of an asset are fetched again,", .timeLimit(.minutes(2)))
struct KeyRenewalTests {
    private static let first = Secret.key([UInt8](1..<17))
    private static let second = Secret.key([UInt8](100..<116))

    /// Serves two segments, each with a key of its own, of which the second segment may be a gap.
    private func publish(
        _ origin: OriginServer, _ folder: String, _ second: String = "/second.key", isGap: Bool = false
    ) {
        origin.serveStream(folder, count: 2, key: Self.first)
        let last = SampleMedia.encrypted(Media.ts(11), key: Self.second, number: 1)
        origin.serve("\(folder)/s1.ts", bytes: last, contentType: "video/mp2t")
        func tag(_ uri: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n" }
        let text = Playlists.media(["s0.ts", "s1.ts"], tags: tag("/first.key"))
        let tags = tag(second) + (isGap ? "#EXT-X-GAP\n" : "")
        origin.serve("\(folder)/index.m3u8", text: text.replacing("s0.ts\n", with: "s0.ts\n\(tags)"))
        origin.serve("/first.key", bytes: Self.first)
    }

    private func renewal(
        _ fixture: StoreFixture, _ token: AssetToken, via path: String? = nil
    ) throws -> KeyRenewal {
        let record = try #require(try fixture.store.catalog.assets.asset(token))
        return KeyRenewal(
            sources: fixture.store.licenses.sources, record: record, via: path.map(fixture.origin.url))
    }

    private func opened(_ keys: [KeyRecord], _ fixture: StoreFixture, _ token: AssetToken) -> [[UInt8]?] {
        keys.map { $0.opened(by: fixture.store.parts.vault, for: token) }
    }

    @Test("each is asked for at its own address")
    func addresses() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, "/v")
            fixture.origin.serve("/second.key", bytes: Self.second)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.forgetRequests()
            let keys = try await renewal(fixture, token).fetch()
            #expect(keys.map(\.id) == ["k0", "k1"])
            #expect(opened(keys, fixture, token) == [Self.first, Self.second])
            #expect(fixture.origin.paths == ["/first.key", "/second.key"])
        }
    }

    @Test("another one than that of the stored media is refused, with its address")
    func different() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.first)
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key?signed=1\"\n"
            fixture.origin.serveStream("/v", count: 2, tags: tag, key: Self.first)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.serve("/k.key", bytes: Self.second)
            let error = await failure { _ = try await renewal(fixture, token).fetch() }
            #expect(error?.text == "key(.different)")
            #expect(error?.url == fixture.origin.url("/k.key"))
        }
    }

    @Test("another one is taken if no media are stored yet")
    func unstored() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.second)
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
            fixture.origin.serveStream("/v", count: 2, tags: tag, key: Self.first)
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            fixture.origin.serve("/k.key", bytes: Self.first)
            let keys = try await renewal(fixture, token).fetch()
            #expect(opened(keys, fixture, token) == [Self.first])
        }
    }

    @Test("one that the playlist holds is read from the playlist again")
    func inline() async throws {
        try await StoreFixture.run { fixture async throws in
            let text = Secret.base64(Self.first)
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"data:;base64,\(text)\"\n"
            fixture.origin.serveStream("/v", count: 2, tags: tag, key: Self.first)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.forgetRequests()
            let keys = try await renewal(fixture, token).fetch()
            #expect(opened(keys, fixture, token) == [Self.first])
            #expect(fixture.origin.paths == ["/v/index.m3u8"])
        }
    }

    @Test("one that was never fetched is recognized by its place in the list at a fresh address")
    func neverFetched() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, "/v")
            fixture.origin.fault("/second.key", .status(403))
            let token = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }.token
            fixture.origin.serve("/moved.key", bytes: Self.second)
            publish(fixture.origin, "/fresh", "/moved.key")
            let keys = try await renewal(fixture, token, via: "/fresh/index.m3u8").fetch()
            #expect(opened(keys, fixture, token) == [Self.first, Self.second])
            #expect(keys.map(\.url) == ["/first.key", "/second.key"].map(fixture.origin.url))
        }
    }

    @Test("the keys at a fresh address must be those of the media, at least one and all that media need")
    func freshAddress() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, "/v")
            fixture.origin.serve("/second.key", bytes: Self.second)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.serve("/other.key", bytes: Secret.key([UInt8](190..<206)))
            publish(fixture.origin, "/one", "/other.key")
            let error = await failure {
                _ = try await renewal(fixture, token, via: "/one/index.m3u8").fetch()
            }
            #expect(error?.text == "key(.different)")
            fixture.origin.serveStream("/none", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/other.key\"\n")
            let none = await failure {
                _ = try await renewal(fixture, token, via: "/none/index.m3u8").fetch()
            }
            #expect(none?.text == "key(.different)")
        }
    }

    @Test(
        "one that only a gap names at the fresh address is fetched if it can be", arguments: [true, false])
    func gap(_ isHad: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, "/v")
            fixture.origin.serve("/second.key", bytes: Self.second)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.serve("/moved.key", bytes: Self.second)
            fixture.origin.fault("/second.key", .status(410))
            publish(fixture.origin, "/fresh", isHad ? "/moved.key" : "/second.key", isGap: true)
            let keys = try await renewal(fixture, token, via: "/fresh/index.m3u8").fetch()
            #expect(keys.map(\.id) == (isHad ? ["k0", "k1"] : ["k0"]))
        }
    }

    @Test("those that the user added need nobody to be asked, but must be there and have no fresh address")
    func added() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let (store, token) = (fixture.store, try await fixture.download("/v/index.m3u8").token)
            let identifier = [UInt8](repeating: 0xAB, count: 16)
            try store.licenses.addKey(Self.first, identifier: identifier, to: token)
            #expect(try await renewal(fixture, token).fetch().isEmpty)
            let via = await failure {
                _ = try await renewal(fixture, token, via: "/v/index.m3u8").fetch()
            }
            #expect(via?.text == "key(.nobodyToAsk)")
            try store.catalog.write(.store) { try $0.execute("UPDATE content_key SET sealed = x'00'") }
            let closed = await failure { _ = try await renewal(fixture, token).fetch() }
            #expect(closed?.text == "key(.nobodyToAsk)")
        }
    }
}
