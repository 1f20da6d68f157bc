import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("A fragment that is read in pieces")
struct FragmentPieceTests {
    private static let key = OriginResource.pattern(16, seed: 71)
    private static let identifier = OriginResource.pattern(16, seed: 72)

    private func reader(_ scheme: TrackEncryption.Scheme, skip: Int) throws -> FragmentReader {
        let cipher = try ContentCipher(Self.key)
        let sample = FragmentMaker.encryption(scheme, skip: skip, Self.identifier)
        return FragmentReader(tracks: [1: TrackEncryption(entries: [sample])]) { _ in cipher }
    }

    private func fragment(
        _ scheme: TrackEncryption.Scheme, skip: Int
    ) throws -> (encrypted: [UInt8], clear: [UInt8]) {
        try FragmentMaker(scheme: scheme, skip: skip, ciphers: [try ContentCipher(Self.key)]).fragment()
    }

    @Test(
        "may be read in pieces that are far shorter than the pattern of its blocks", arguments: [3, 16, 160],
        [.cens, .cbcs] as [TrackEncryption.Scheme])
    func short(size: Int, scheme: TrackEncryption.Scheme) throws {
        let (encrypted, clear) = try fragment(scheme, skip: 9)
        var reader = try reader(scheme, skip: 9)
        #expect(try reader.all(of: encrypted, in: size) == clear)
    }

    @Test("that was cut off is decrypted as far as it goes", arguments: [1, 5, 16, 190, 700])
    func cut(count: Int) throws {
        let (encrypted, clear) = try fragment(.cenc, skip: 0)
        var reader = try reader(.cenc, skip: 0)
        #expect(try reader.all(of: Array(encrypted.dropLast(count))) == Array(clear.dropLast(count)))
    }

    @Test("is not read to the end of its media data for a small piece of them")
    func large() throws {
        let bytes = ProtectedMovie.box("mdat", OriginResource.pattern(100_000, seed: 73))
        var reader = try reader(.cenc, skip: 0)
        let step = try reader.read(at: 500, count: 100, from: EncryptedBytes(bytes))
        guard case .bytes(let piece) = step else { throw Stuck(place: 500) }
        #expect(piece.count < 10_000 && piece.prefix(100) == bytes[500..<600])
    }
}
