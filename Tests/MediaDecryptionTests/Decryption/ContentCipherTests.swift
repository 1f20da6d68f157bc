import ASCII
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("AES in counter mode")
struct CounterModeTests {
    /// NIST SP 800-38A, section F.5.1.
    private static let key = Hexadecimal.bytes("2b7e151628aed2a6abf7158809cf4f3c") ?? []
    private static let counter = Hexadecimal.bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff") ?? []
    private static let clear =
        Hexadecimal.bytes(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710") ?? []
    private static let hidden =
        Hexadecimal.bytes(
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                + "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee") ?? []

    private func cipher() throws -> ContentCipher { try ContentCipher(Self.key) }

    @Test("decrypts from any byte of a stream on", arguments: [0, 1, 5, 15, 16, 17, 40, 63, 64])
    func offsets(offset: Int) throws {
        let rest = try cipher().stream(Self.hidden[offset...], iv: Self.counter, offset: offset)
        #expect(rest == Array(Self.clear[offset...]))
        let few = Self.hidden[offset..<min(offset + 3, 64)]
        #expect(
            try cipher().stream(few, iv: Self.counter, offset: offset)
                == Array(Self.clear[offset..<min(offset + 3, 64)]))
    }

    @Test("counts from zero behind a vector of 8 bytes")
    func shortVectors() throws {
        let vector = OriginResource.pattern(8, seed: 93)
        let whole = vector + [UInt8](repeating: 0, count: 8)
        for offset in [0, 7, 32] {
            let short = try cipher().stream(Self.hidden[...], iv: vector, offset: offset)
            #expect(try short == cipher().stream(Self.hidden[...], iv: whole, offset: offset))
        }
    }

    @Test("has no vectors of more than a block")
    func longVectors() {
        #expect(throws: StoreError.self) {
            try cipher().stream(Self.hidden[...], iv: Self.counter + [0])
        }
    }
}
