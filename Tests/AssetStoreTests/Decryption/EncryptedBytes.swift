import Foundation
import Locking
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Encrypted bytes in memory, as far as they have arrived; given out in small pieces.
final class EncryptedBytes: EncryptedSource {
    let bytes: [UInt8]
    private let there: Lock<Int>
    private let isLengthKnown: Bool

    init(_ bytes: [UInt8], there: Int? = nil, isLengthKnown: Bool = true) {
        (self.bytes, self.isLengthKnown) = (bytes, isLengthKnown)
        self.there = Lock(there ?? bytes.count)
    }

    var count: Int? { isLengthKnown ? bytes.count : nil }

    func grow(by count: Int) { there.withLock { $0 = min(bytes.count, $0 + count) } }

    func read(at offset: Int, count: Int) -> ArrivingFile.Step {
        let there = there.withLock(\.self)
        guard offset < there else { return there == bytes.count ? .end : .wait }
        return .bytes(Array(bytes[offset..<min(offset + min(count, 1000), there)]))
    }

    func whenGrown(beyond offset: Int, wake: @escaping @Sendable () -> Void) { wake() }
}

extension EncryptedBytes {
    /// A file that shaka-packager made.
    static func fixture(_ name: String) throws -> [UInt8] {
        let url = Bundle.module.url(
            forResource: name, withExtension: nil, subdirectory: "Fixtures/encrypted")
        return [UInt8](try Data(contentsOf: try #require(url)))
    }
}

extension ClearReader {
    /// The clear content from `start` on, read in pieces of `count` bytes, as it grows by `step` bytes at a time.
    mutating func all(
        of source: EncryptedBytes, from start: Int = 0, in count: Int = 700, step: Int = 0
    ) throws -> [UInt8] {
        var clear: [UInt8] = []
        while true {
            switch try read(at: start + clear.count, count: count, from: source) {
            case .bytes(let bytes): clear += bytes.prefix(count)
            case .wait(let place):
                guard step > 0, place < source.bytes.count else { throw Stuck(place: place) }
                source.grow(by: step)
            case .end: return clear
            case .failed: throw Stuck(place: clear.count)
            }
        }
    }

    /// All of some bytes in the clear.
    mutating func all(of bytes: [UInt8], from start: Int = 0, in count: Int = 700) throws -> [UInt8] {
        try all(of: EncryptedBytes(bytes), from: start, in: count)
    }
}

/// A reader waits for what will not come.
struct Stuck: Error {
    var place: Int
}

extension ContentCipher {
    /// One block, encrypted: the first one of a CTR stream over zeros.
    private func encrypted(_ block: [UInt8]) throws -> [UInt8] {
        try stream([UInt8](repeating: 0, count: 16)[...], iv: block)
    }

    /// Whole blocks as CBC encrypts them.
    func chained(_ bytes: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        var (last, result) = (iv, [UInt8]())
        for start in stride(from: 0, to: bytes.count / 16 * 16, by: 16) {
            last = try encrypted(zip(last, bytes[start..<start + 16]).map { $0 ^ $1 })
            result += last
        }
        return result
    }

    /// A whole segment of METHOD=AES-128.
    func segment(_ bytes: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        let padding = 16 - bytes.count % 16
        return try chained(bytes + [UInt8](repeating: UInt8(padding), count: padding), iv: iv)
    }
}
