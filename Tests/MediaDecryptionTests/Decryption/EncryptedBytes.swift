import Foundation
import Locking
import Testing

@testable import MediaDecryption
@testable import StoreFiles

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
