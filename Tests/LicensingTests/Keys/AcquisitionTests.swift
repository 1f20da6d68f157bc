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

@Suite("Content keys are had before media", .timeLimit(.minutes(2)))
struct AcquisitionTests {
    @Test("a stream is preloaded with its keys and without media; later it comes under the same token")
    func preload() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            let token = try await fixture.add("/master.m3u8") { $0.isPreload = true }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .paused && asset.reason == "preloaded")
            #expect(asset.license.state == .valid)
            #expect(!fixture.origin.paths.contains { $0.hasSuffix(".ts") })
            #expect(try fixture.contentKey(token, "k0") == Licensed.key)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(fixture.origin.requests(for: "/k.key").count == 1)
        }
    }

    @Test(
        "a key that can't be fetched stops the download, unless it may be missing; a renewal fetches it later"
    )
    func missing() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            fixture.origin.fault("/k.key", .status(403))
            #expect(await fixture.refusal("/master.m3u8")?.errorClass == .key)
            let asset = try await fixture.download("/master.m3u8") { $0.allowsMissingKeys = true }
            #expect(asset.state == .complete)
            #expect(asset.license.state == .missing && asset.license.expiry == .unknown)
            #expect(asset.availability.blockedBy == [.keyMissing])
            #expect(try fixture.contentKey(asset.token, "k0") == nil)
            let exported = await failure {
                let folder = FilePath(fixture.folder.file("exported"))
                try fixture.store.reader.exporter.export(asset.token, to: folder, withKeys: false)
            }
            #expect(exported?.text == "key(.missing)")
            fixture.origin.clearFaults("/k.key")
            try await fixture.store.renewLicense(of: asset.token)
            #expect(try fixture.contentKey(asset.token, "k0") == Licensed.key)
            #expect(try fixture.store.reader.requireAsset(asset.token).availability.offline)
        }
    }

    @Test("a key tag without a URI is a key that can't be fetched, and does not mean clear media")
    func withoutURI() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", tags: "#EXT-X-KEY:METHOD=AES-128\n")
            #expect(await fixture.refusal("/v/index.m3u8")?.text == "key(.unreachable)")
            let asset = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }
            #expect(asset.state == .complete && asset.license.state == .missing)
        }
    }

    @Test(
        "in data URIs are known in any case of letters, and written down nowhere",
        arguments: ["data", "DATA"])
    func inline(scheme: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let uri = "\(scheme):text/plain;BASE64,\(Secret.base64(Licensed.key))"
            fixture.origin.serveStream(
                "/v", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n", key: Licensed.key)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(try fixture.contentKey(token, "k0") == Licensed.key)
        }
    }

    private static let systems = """
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key/1",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="https://license.invalid/x?secret=1",KEYFORMAT="com.example"

        """

    @Test("keys of key systems are recorded and never requested; a deposited blob is returned unchanged")
    func keySystems() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/drm", tags: Self.systems)
            #expect(await fixture.refusal("/drm/index.m3u8")?.errorClass == .unsupported)
            let asset = try await fixture.download("/drm/index.m3u8") { $0.allowsMissingKeys = true }
            let (store, token) = (fixture.store, asset.token)
            #expect(asset.state == .complete && asset.license.state == .missing)
            let keys = try store.reader.keyOutlines(of: token)
            #expect(keys.map(\.place) == ["skd://key/1", "https://license.invalid/x"])
            #expect(keys.map(\.isStored) == [false, false])
            let served = String(decoding: try fixture.stored(token, "video/media.m3u8") ?? [], as: UTF8.self)
            #expect(served.contains("URI=\"skd://key/1\"") && served.contains("URI=\"../keys/k1.key\""))
            #expect(!served.contains("license.invalid"))
            let blob = OriginResource.pattern(700)
            #expect(try store.licenses.depositKey(blob, "k0", of: token, contentType: "application/x-blob"))
            #expect(try !store.licenses.depositKey(blob, "k9", of: token, contentType: nil))
            guard case .key(blob, "application/x-blob") = try store.keys.key(token, "k0") else {
                Issue.record("no blob")
                return
            }
            #expect(try store.reader.requireAsset(token).license.state == .valid)
        }
    }

    @Test("an added key is stored under its identifier, also for media that name no key")
    func added() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            let identifier = [UInt8](repeating: 0xAB, count: 16)
            try fixture.store.licenses.addKey(Licensed.key, identifier: identifier, to: token)
            #expect(try fixture.store.reader.requireAsset(token).license.state == .valid)
            let keys = try fixture.store.keys.clearKeys(token, [identifier, [1], identifier])
            #expect(keys.map(\.key) == [Licensed.key])
            try fixture.store.licenses.revoke(token)
            let refused = await failure { _ = try fixture.store.keys.clearKeys(token, [identifier]) }
            #expect(refused?.errorClass == .key)
            let short = await failure {
                try fixture.store.licenses.addKey([1], identifier: identifier, to: token)
            }
            #expect(short?.text == "key(.length(1))")
        }
    }

    @Test("a key counts once when it is handed out, in any order of requests")
    func countedOnce() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let token = try await fixture.download("/v/index.m3u8").token
            let (known, unknown) = ([UInt8](repeating: 0xAB, count: 16), [UInt8](repeating: 0xCD, count: 16))
            try fixture.store.licenses.addKey(Licensed.key, identifier: known, to: token)
            let desk = fixture.store.keys
            #expect(try desk.clearKeys(token, [known]).count == 1)
            for wanted in [[known, unknown], [unknown, known]] {
                #expect(desk.quickClearKeys(token, wanted) == nil)
                #expect(try desk.clearKeys(token, wanted).count == 1)
            }
            #expect(desk.quickClearKeys(token, []) == nil)
            #expect(desk.quickClearKeys(token, [known])?.count == 1)
            desk.flush()
            #expect(try fixture.store.reader.requireAsset(token).license.keysHandedOut == 4)
        }
    }

    @Test("keys lie nowhere as they are: not in a file of the store, not in digits, not in base 64")
    func secrets() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try StoreFixture(in: folder)
        let key = Secret.key(OriginResource.pattern(16, seed: 4711))
        Licensed.serve(on: fixture.origin, key: key)
        let inline = "data:;base64,\(Secret.base64(key))"
        fixture.origin.serveStream("/inline", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(inline)\"\n", key: key)
        let token = try await fixture.download("/master.m3u8") {
            $0.access.headers = [["X-Token", "pattern-\(Secret.base64(key))"]]
        }.token
        let other = try await fixture.download("/inline/index.m3u8").token
        _ = try fixture.contentKey(token, "k0")
        try fixture.store.licenses.addKey(key, identifier: [UInt8](repeating: 9, count: 16), to: other)
        fixture.expectNoKeys()
        try await fixture.store.renewLicense(of: token)
        try fixture.store.licenses.revoke(other)
        fixture.expectNoKeys()
        await fixture.store.stop()
        fixture.expectNoKeys()
    }
}
