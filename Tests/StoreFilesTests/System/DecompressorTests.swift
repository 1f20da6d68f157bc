import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("Bytes that were compressed")
struct DecompressorTests {
    /// More than comes out of one step.
    private static let plain = OriginResource.pattern(600_000, seed: 7).map { $0 & 3 }
    private static let compressed = Gzip.compress(plain)

    /// What comes out, and whether all was right and is at its end.
    private func decode(_ input: [UInt8], by size: Int) throws -> (
        output: [UInt8], isRight: Bool, isEnded: Bool
    ) {
        let decoder = try #require(Decompressor(.gzip))
        var output: [UInt8] = []
        var isRight = true
        for start in stride(from: 0, to: input.count, by: size) where isRight {
            isRight = try decoder.decode(Array(input[start..<min(start + size, input.count)])) {
                output += $0
            }
        }
        return (output, isRight, decoder.isEnded)
    }

    @Test("come out as they were, in pieces of any size", arguments: [1, 100, 4096, 100_000, 1 << 20])
    func pieces(size: Int) throws {
        try #require(!Self.compressed.isEmpty, "gzip is not installed")
        let found = try decode(Self.compressed, by: size)
        #expect(found.isRight && found.isEnded && found.output == Self.plain)
    }

    @Test("are not at their end when they were cut", arguments: [0, 1, 10, 1000])
    func cut(count: Int) throws {
        let found = try decode(Array(Self.compressed.prefix(count)), by: 100)
        #expect(found.isRight && !found.isEnded && Self.plain.starts(with: found.output))
        let most = try decode(Self.compressed.dropLast(), by: 4096)
        #expect(most.isRight && !most.isEnded)
    }

    @Test("are distinguished from plain and from damaged bytes")
    func broken() throws {
        #expect(try !decode(OriginResource.pattern(1000, seed: 3), by: 100).isRight)
        var changed = Self.compressed
        changed[changed.count - 6] ^= 1
        #expect(try !decode(changed, by: 4096).isRight)
    }

    @Test("end before later bytes, which stay unread")
    func behind() throws {
        let decoder = try #require(Decompressor(.gzip))
        var output: [UInt8] = []
        #expect(try decoder.decode(Self.compressed + [1, 2, 3]) { output += $0 })
        #expect(decoder.isEnded && output == Self.plain)
        #expect(try decoder.decode([4, 5]) { output += $0 })
        #expect(output == Self.plain)
    }
}
