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

/// Segments that are encrypted as a whole (METHOD=AES-128) are looked at in the clear, where their key is there.
@Suite("A look at encrypted segments", .timeLimit(.minutes(2)))
struct EncryptedUnitTests {
    private static let key = Secret.key(OriginResource.pattern(16, seed: 61))
    private static let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n"

    /// A stream whose second segment is these bytes as they go over the wire.
    private func download(
        _ bytes: [UInt8], name: String = "s1.ts", hasKey: Bool = true,
        _ body: (StoreFixture, Asset) async throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serveStream("/v", count: 2, tags: Self.tags, key: Self.key)
            origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", name], tags: Self.tags))
            origin.serve("/v/\(name)", bytes: bytes)
            if hasKey { origin.serve("/v/k.key", bytes: Self.key) }
            try await body(
                fixture, try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = !hasKey })
        }
    }

    private func sealed(_ clear: [UInt8], key: [UInt8] = key) -> [UInt8] {
        SampleMedia.encrypted(clear, key: key, number: 1)
    }

    @Test("finds random bytes in place of them, with their key")
    func random() async throws {
        try await download(OriginResource.pattern(1600, seed: 8)) { fixture, asset async throws in
            #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.contains("can't be decrypted with the stored key") == true)
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
        }
    }

    @Test("finds that another key has encrypted them")
    func otherKey() async throws {
        try await download(sealed(Media.ts(10), key: OriginResource.pattern(16, seed: 62))) {
            _, asset async throws in
            #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.contains("can't be decrypted with the stored key") == true)
        }
    }

    @Test("accepts them unchanged without their key")
    func withoutKey() async throws {
        let bytes = OriginResource.pattern(1600, seed: 8)
        try await download(bytes, hasKey: false) { fixture, asset async throws in
            #expect(asset.state == .complete && asset.availability.blockedBy == [.keyMissing])
            #expect(try fixture.stored(asset.token, "video/1.ts") == bytes)
        }
    }

    @Test(
        "finds a message or a picture of any length in place of them, with their key and without it",
        arguments: [
            ("Forbidden", "text came"), ("Forbidden by law", "text came"),
            (#"{"error": "gone by"}"#, "text came"),
            ("<html><body>Please log in again</body></html>", "a web page came"),
            ("<html><body>Please log in ..</body></html>......", "a web page came"),
        ], [true, false])
    func message(_ said: (text: String, words: String), hasKey: Bool) async throws {
        try await download(Array(said.text.utf8), hasKey: hasKey) { fixture, asset async throws in
            #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.hasPrefix(said.words) == true, "\(asset.failure?.message ?? "")")
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
        }
    }

    @Test("finds faults in the clear bytes")
    func damagedContent() async throws {
        let hole = Media.ts(5) + [UInt8](repeating: 1, count: 9400) + Media.ts(5)
        try await download(sealed(hole)) { _, asset async throws in
            #expect(asset.failure?.message.contains("out of step from byte 940 on") == true)
        }
        try await download(sealed(Media.page)) { _, asset async throws in
            #expect(asset.failure?.message.hasPrefix("a web page came") == true)
        }
    }

    @Test("accepts an end inside a block if it comes twice, and the beginning is media")
    func cutBlock() async throws {
        let bytes = Array(sealed(Media.ts(10)).dropLast(5))
        try await download(bytes) { fixture, asset async throws in
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == bytes)
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == 2)
        }
        try await download(OriginResource.pattern(1595, seed: 8)) { _, asset async throws in
            #expect(asset.state == .failed)
        }
    }

    @Test(
        "stores media of an unknown kind if no kind is declared, since their padding shows that the key is right"
    )
    func unknownContent() async throws {
        let bytes = sealed(OriginResource.pattern(3000, seed: 9))
        for (name, isTaken) in [("s1", true), ("s1.ts", false)] {
            try await StoreFixture.run { fixture async throws in
                fixture.origin.serve(
                    "/v/index.m3u8",
                    text: Playlists.media([name], tags: Self.tags + "#EXT-X-MEDIA-SEQUENCE:1\n"))
                fixture.origin.serve("/v/\(name)", bytes: bytes)
                fixture.origin.serve("/v/k.key", bytes: Self.key)
                let asset = try await fixture.download("/v/index.m3u8")
                #expect(asset.state == (isTaken ? .complete : .failed), "\(asset.failure?.message ?? "")")
            }
        }
    }

    @Test("decrypts by the vector of the playlist, and of a section")
    func section() async throws {
        try await StoreFixture.run { fixture async throws in
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\",IV=0x07\n#EXT-X-MAP:URI=\"i.mp4\"\n"
            func sealed(_ clear: [UInt8]) -> [UInt8] {
                SampleMedia.encrypted(clear, key: Self.key, number: 7)
            }
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.m4s"], tags: tags))
            fixture.origin.serve("/v/k.key", bytes: Self.key)
            fixture.origin.serve("/v/i.mp4", bytes: sealed(Media.initialization()))
            fixture.origin.serve("/v/s0.m4s", bytes: sealed(SampleMedia.fragment(samples: [400, 50])))
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
            fixture.origin.serve("/v/i.mp4", bytes: sealed(SampleMedia.fragment(samples: [400, 50])))
            let failed = try await fixture.download("/v/index.m3u8")
            #expect(failed.failure?.message.contains("describes no track") == true)
        }
    }

    @Test("accepts them by length if a key system has the key")
    func keySystem() async throws {
        let tags = Self.tags.replacing(
            "k.key\"", with: "skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"")
        try await StoreFixture.run { fixture async throws in
            let bytes = OriginResource.pattern(1600, seed: 8)
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts"], tags: tags))
            fixture.origin.serve("/v/s0.ts", bytes: bytes)
            let asset = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(try fixture.stored(asset.token, "video/0.ts") == bytes)
        }
    }
}
