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

@Suite("A transport stream whose tables stand elsewhere", .timeLimit(.minutes(2)))
struct TransportTableTests {
    private static let key = Hexadecimal.bytes("00112233445566778899aabbccddeeff") ?? []
    private static let vector = "000102030405060708090a0b0c0d0e0f"
    private static let keyTag = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"/k.key\",IV=0x\(vector)\n"
    private static let mapTag = "#EXT-X-MAP:URI=\"/tables.ts\"\n"
    /// SHA-256 of `sample-aes-video.ts` in the clear.
    private static let digest = "ec6fcf827b49e0facd866cd5ee2a280112c7fbe5af979b8ec95121eb917b801d"

    /// A stream whose first two packets are its tables.
    private func encrypted() throws -> (tables: [UInt8], media: [UInt8]) {
        let bytes = try SampleMedia.file("sample-aes-video.ts")
        return (Array(bytes[..<376]), Array(bytes[376...]))
    }

    private func aes() throws -> SampleAES {
        SampleAES(cipher: try ContentCipher(Self.key), iv: Hexadecimal.bytes(Self.vector) ?? [])
    }

    @Test("is decrypted by those of its initialization section")
    func section() throws {
        let (tables, media) = try encrypted()
        var reader = StreamReader(
            TransportStreamDecryption(try aes(), TransportTables(section: tables)))
        let clear = TransportTables.clear(section: tables) + (try reader.all(of: media))
        #expect(try Sum.sha256(clear) == Self.digest)
    }

    @Test("and behind its first PES packet is decrypted from its beginning")
    func late() throws {
        let (tables, media) = try encrypted()
        // The ten transport packets of the first PES packet.
        let first = 1880
        var reader = StreamReader(TransportStreamDecryption(try aes()))
        let clear = try reader.all(of: Array(media[..<first]) + tables + Array(media[first...]))
        var ordered = Array(clear[first..<first + 376])
        ordered += clear[..<first]
        ordered += clear[(first + 376)...]
        #expect(try Sum.sha256(ordered) == Self.digest)
    }

    @Test("gives an error and not a byte when there are none: it would come out encrypted")
    func none() async throws {
        let media = try encrypted().media
        let error = await failure {
            var reader = StreamReader(TransportStreamDecryption(try aes()))
            _ = try reader.all(of: media)
        }
        #expect(error?.text == "integrity(.undecryptable)")
        var start = StreamReader(TransportStreamDecryption(try aes()))
        let arriving = EncryptedBytes(media, there: media.count / 2)
        guard case .wait = try start.read(at: 0, count: 100, from: arriving) else {
            Issue.record("it gave bytes")
            return
        }
        var empty = StreamReader(TransportStreamDecryption(try aes()))
        #expect(try empty.all(of: []).isEmpty)
    }

    @Test(
        "is served in the clear, its tables too, whether its key comes before them or after",
        arguments: [keyTag + mapTag, mapTag + keyTag])
    func served(tags: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let (tables, media) = try encrypted()
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serve("/tables.ts", bytes: tables)
            fixture.origin.serve("/0.ts", bytes: media)
            fixture.origin.serve("/index.m3u8", text: Playlists.media(["0.ts"], tags: tags))
            let token = try await fixture.download("/index.m3u8").token
            let clear = try [UnitName.initialization(0), .segment(0)].flatMap { name in
                try fixture.clear(name, name == .segment(0) ? "ts" : "mp4", of: token)
            }
            #expect(try Sum.sha256(clear) == Self.digest)
        }
    }

    @Test("of I-frames is decrypted, too")
    func iFrames() async throws {
        try await StoreFixture.run { fixture async throws in
            let (tables, media) = try encrypted()
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serve("/i/a.ts", bytes: tables + media)
            let frames = Playlists.media(
                ["#EXT-X-BYTERANGE:1880@376\na.ts"], tags: "#EXT-X-I-FRAMES-ONLY\n\(Self.keyTag)")
            fixture.origin.serve("/i/index.m3u8", text: frames)
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.variant("v/index.m3u8", 900_000),
                    #"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI="i/index.m3u8""#))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            #expect(asset.state == .complete && asset.renditions.count == 2)
            var whole = StreamReader(TransportStreamDecryption(try aes()))
            let clear = try whole.all(of: tables + media)
            let found = try [UnitName.initialization(0), .segment(0)].flatMap { name in
                try fixture.clear(name, name == .segment(0) ? "ts" : "mp4", of: asset.token, "iframes")
            }
            #expect(found == Array(clear[..<2256]))
        }
    }
}
