import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("A segment that is encrypted as a whole")
struct WholeSegmentTests {
    private static let iv = [UInt8](16..<32)
    private static let clear = OriginResource.pattern(5000)

    private func cipher() throws -> ContentCipher { try ContentCipher(OriginResource.pattern(16, seed: 81)) }

    private func encrypted(_ count: Int) throws -> [UInt8] {
        try cipher().segment(Array(Self.clear.prefix(count)), iv: Self.iv)
    }

    private func opened(_ source: EncryptedBytes) throws -> WholeSegmentReader {
        try WholeSegmentReader(try cipher(), iv: Self.iv, of: source)
    }

    @Test(
        "tells its length without its padding before a byte of it is read",
        arguments: [0, 1, 15, 16, 17, 4999])
    func length(count: Int) throws {
        let source = EncryptedBytes(try encrypted(count))
        var reader = try opened(source)
        #expect(reader.length == count)
        #expect(try reader.all(of: source) == Array(Self.clear.prefix(count)))
    }

    @Test("comes from any byte on, in pieces of any size")
    func ranges() throws {
        let source = EncryptedBytes(try encrypted(1000))
        var reader = try opened(source)
        for start in [0, 1, 15, 16, 17, 31, 500, 983, 984, 999, 1000, 1500] {
            for size in [1, 16, 47, 2000] {
                let all = try reader.all(of: source, from: start, in: size)
                #expect(all == Array(Self.clear.prefix(1000).dropFirst(start)), "\(start) \(size)")
            }
        }
    }

    @Test(
        "comes while it arrives, and keeps its last block back until it is known to be the last",
        arguments: [true, false])
    func arriving(isLengthKnown: Bool) throws {
        let source = EncryptedBytes(try encrypted(1000), there: 0, isLengthKnown: isLengthKnown)
        var reader = try opened(source)
        #expect(reader.length == nil)
        #expect(try reader.all(of: source, in: 100, step: 7) == Array(Self.clear.prefix(1000)))
        #expect(reader.length == 1000)
    }

    @Test(
        "has its length with its last block, however short it is, if only its end tells it",
        arguments: [0, 1, 15, 16, 17, 31, 32, 33])
    func unmeasured(count: Int) throws {
        let bytes = Array(Self.clear.prefix(count))
        let source = EncryptedBytes(try encrypted(count), isLengthKnown: false)
        var reader = try opened(source)
        #expect(reader.length == nil)
        #expect(try reader.all(of: source) == bytes)
        #expect(reader.length == count)
        for start in 0...count {
            var other = try opened(source)
            #expect(try other.all(of: source, from: start) == Array(bytes.dropFirst(start)))
        }
    }

    @Test("ends where its padding begins", arguments: [0, 5, 15, 16, 40])
    func end(count: Int) throws {
        let source = EncryptedBytes(try encrypted(count), isLengthKnown: false)
        for place in [count, count + 1, count + 100] {
            var reader = try opened(source)
            guard case .end = try reader.read(at: place, count: 10, from: source) else {
                throw Stuck(place: place)
            }
        }
    }

    @Test(
        "gives an error and not a byte when its padding is wrong, and nothing of its last block while it arrives"
    )
    func padding() throws {
        var bytes = try encrypted(1000)
        bytes[bytes.count - 17] ^= 0xFF
        #expect(throws: StoreError.self) { try opened(EncryptedBytes(bytes)) }
        #expect(throws: StoreError.self) { try opened(EncryptedBytes(bytes.dropLast())) }
        #expect(throws: StoreError.self) { try opened(EncryptedBytes([])) }
        let source = EncryptedBytes(bytes, there: 0)
        var reader = try opened(source)
        var count = 0
        #expect(throws: StoreError.self) {
            while case let step = try reader.read(at: count, count: 64, from: source) {
                if case .bytes(let bytes) = step { count += bytes.count } else { source.grow(by: 16) }
            }
        }
        #expect(count == 976)
    }
}
