import ASCII
import Locking
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

/// What shaka-packager encrypted, with what it makes without encryption beside it.
struct DecryptionTests {
    private static let key = Hexadecimal.bytes("00112233445566778899aabbccddeeff") ?? []
    private static let iv = Hexadecimal.bytes("000102030405060708090a0b0c0d0e0f") ?? []
    private static let identifier = Hexadecimal.bytes("aabbccdd-aabb-ccdd-aabb-ccddaabbccdd")

    private func fixture(_ name: String) throws -> [UInt8] { try SampleMedia.file(name) }

    private func media(_ bytes: [UInt8]) -> [[UInt8]] {
        MP4Box.list(bytes, in: 0..<bytes.count).filter { $0.type == "mdat" }.map { Array(bytes[$0.content]) }
    }

    private func cipher(_ key: [UInt8] = key) throws -> ContentCipher { try ContentCipher(key) }

    @Test("samples of Common Encryption come out as they went in", arguments: ["cbcs", "cenc"], ["v", "a"])
    func commonEncryption(scheme: String, kind: String) throws {
        let start = try fixture("\(scheme)-\(kind)-init.mp4")
        let tracks = try TrackEncryption.tracks(ofInitialization: start)
        #expect(tracks.values.flatMap(\.keyIDs) == [Self.identifier])
        let cipher = try cipher()
        let asked = Lock<[[UInt8]]>([])
        var fragment = FragmentReader(tracks: tracks) { identifier throws(StoreError) in
            asked.withLock { $0.append(identifier) }
            return cipher
        }
        let clear = try fragment.all(of: try fixture("\(scheme)-\(kind)1.m4s"))
        #expect(media(clear) == media(try fixture("clear-\(kind)1.m4s")))
        #expect(clear.count == (try fixture("\(scheme)-\(kind)1.m4s").count))
        #expect(asked.withLock(\.self) == [Self.identifier])
    }

    @Test("an initialization section names the formats that its tracks have in the clear")
    func initialization() throws {
        for (name, format) in [("cbcs-v", "avc1"), ("cenc-a", "mp4a")] {
            let start = try fixture("\(name)-init.mp4")
            let clear = TrackEncryption.clear(initialization: start)
            let text = String(decoding: clear, as: UTF8.self)
            #expect(clear.count == start.count)
            #expect(text.contains(format) && !text.contains("encv") && !text.contains("enca"))
            #expect(!text.contains("sinf") && !text.contains("pssh"))
            #expect(try TrackEncryption.tracks(ofInitialization: clear).isEmpty)
        }
    }

    @Test("packed audio comes out as it went in")
    func packedAudio() throws {
        let aes = SampleAES(cipher: try cipher(), iv: Self.iv)
        var reader = StreamReader(PackedAudioDecryption(aes, .adts))
        let clear = try reader.all(of: try fixture("sample-aes.aac"))
        let expected = try fixture("clear.aac")
        #expect(clear.suffix(8800) == expected.suffix(8800))
        #expect(clear != (try fixture("sample-aes.aac")))
        #expect(try reader.all(of: try fixture("sample-aes.aac"), from: 3000) == Array(clear.dropFirst(3000)))
    }

    @Test(
        "a transport stream comes out with its packets where they were",
        arguments: [
            ("sample-aes-video.ts", "ec6fcf827b49e0facd866cd5ee2a280112c7fbe5af979b8ec95121eb917b801d"),
            ("sample-aes-audio.ts", "cbce830f18abaf6fabba975d654f02474b7b9e590421bc3dbc5572f7dde8d257"),
        ])
    func transportStream(name: String, digest: String) throws {
        let bytes = try fixture(name)
        let aes = SampleAES(cipher: try cipher(), iv: Self.iv)
        var stream = StreamReader(TransportStreamDecryption(aes))
        let clear = try stream.all(of: EncryptedBytes(bytes, there: 0, isLengthKnown: false), step: 999)
        #expect(clear.count == bytes.count)
        // FFmpeg's decoder gets from it, bit for bit, what it gets from the stream that was never encrypted.
        #expect(try Sum.sha256(clear) == digest)
        #expect(try stream.all(of: bytes, from: 5000) == Array(clear.dropFirst(5000)))
    }

    @Test("damaged media and a wrong key give an error or other bytes, never a crash")
    func damage() throws {
        let names = ["cbcs-v1.m4s", "cenc-a1.m4s", "sample-aes-video.ts", "sample-aes.aac"]
        for (round, name) in names.enumerated() {
            let whole = try fixture(name)
            for place in stride(from: 7, to: whole.count, by: 97) {
                var bytes = whole
                bytes[place] ^= UInt8(truncatingIfNeeded: 0xFF &- round &* 37)
                try survive(Array(bytes.prefix(whole.count - place % 300)))
            }
        }
    }

    private func survive(_ bytes: [UInt8]) throws {
        let aes = SampleAES(cipher: try cipher([UInt8](repeating: 7, count: 16)), iv: Self.iv)
        let start = try fixture("cbcs-v-init.mp4")
        var fragment = FragmentReader(tracks: try TrackEncryption.tracks(ofInitialization: start)) {
            _ throws(StoreError) in aes.cipher
        }
        _ = try? fragment.all(of: bytes, in: 4000)
        var stream = StreamReader(TransportStreamDecryption(aes))
        _ = try? stream.all(of: bytes, in: 4000)
        var audio = StreamReader(PackedAudioDecryption(aes, .adts))
        _ = try audio.all(of: bytes, in: 4000)
        _ = TrackEncryption.clear(initialization: bytes)
        _ = try? TrackEncryption.tracks(ofInitialization: bytes)
        let short = EncryptedBytes(Array(bytes.prefix(17)))
        #expect(throws: StoreError.self) { try WholeSegmentReader(aes.cipher, iv: Self.iv, of: short) }
    }
}
