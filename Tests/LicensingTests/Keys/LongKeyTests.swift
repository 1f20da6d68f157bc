import ASCII
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

@Suite("Keys of 32 bytes", .timeLimit(.minutes(2)))
struct LongKeyTests {
    private static let key = Secret.key(OriginResource.pattern(32, seed: 256))

    /// Serves a stream of these segments, encrypted by a method.
    private func publish(
        _ segments: [[UInt8]], _ method: String, key: [UInt8] = key, on origin: OriginServer
    ) {
        origin.serve("/k.key", bytes: key)
        for (number, bytes) in segments.enumerated() { origin.serve("/s\(number).ts", bytes: bytes) }
        let tags = "#EXT-X-KEY:METHOD=\(method),URI=\"/k.key\"\n"
        origin.serve(
            "/index.m3u8", text: Playlists.media(segments.indices.map { "s\($0).ts" }, tags: tags))
    }

    @Test("a stream with METHOD=AES-256 is stored with its key, and decrypted for players that can't")
    func blocks() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = (0..<2).map { Media.ts(10, seed: UInt64($0)) }
            let cipher = try ContentCipher(Self.key)
            let zeros = [UInt8](repeating: 0, count: 15)
            let encrypted = [
                try cipher.segment(media[0], iv: zeros + [0]), try cipher.segment(media[1], iv: zeros + [1]),
            ]
            publish(encrypted, "AES-256", on: fixture.origin)
            let asset = try await fixture.download("/index.m3u8")
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(try fixture.contentKey(asset.token, "k0") == Self.key)
            for number in 0..<2 {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == encrypted[number])
                #expect(try fixture.clear(.segment(number), "ts", of: asset.token) == media[number])
            }
            try await fixture.store.renewLicense(of: asset.token)
            #expect(try fixture.contentKey(asset.token, "k0") == Self.key)
        }
    }

    @Test("a stream with METHOD=AES-256-GCM is stored, with one request for each segment of any length")
    func counter() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = (0..<3).map { OriginResource.pattern(1601 + $0, seed: UInt64($0)) }
            publish(segments, "AES-256-GCM", on: fixture.origin)
            let asset = try await fixture.download("/index.m3u8")
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(try fixture.contentKey(asset.token, "k0") == Self.key)
            for (number, bytes) in segments.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
                #expect(fixture.origin.requests(for: "/s\(number).ts").count == 1)
            }
        }
    }

    @Test("a key of another length than its method needs is refused", arguments: ["AES-256", "AES-256-GCM"])
    func short(method: String) async throws {
        try await StoreFixture.run { fixture async throws in
            publish([Media.ts(10)], method, key: Array(Self.key.prefix(16)), on: fixture.origin)
            #expect(await fixture.refusal("/index.m3u8")?.text == "key(.length(16))")
        }
    }

    @Test("providers may send them in each form: binary, hexadecimal, base 64, in JSON")
    func provided() throws {
        let base64 = Secret.base64(Self.key)
        let texts = [Hexadecimal.text(Self.key), base64, "{\"key\": \"\(base64)\"}"]
        let now = Timestamp(milliseconds: 0)
        let answer = KeyProviderAnswer(nil, provider: "acme", now: now, keyLength: 32)
        for bytes in [Self.key] + texts.map({ Array($0.utf8) }) {
            #expect(try answer.key(in: bytes).bytes == Self.key)
        }
        #expect(throws: StoreError.self) { try answer.key(in: Array(Self.key.prefix(16))) }
    }
}
