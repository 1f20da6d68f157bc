import Locking
import Testing

@testable import MediaContainers

/// Bytes in memory that count how often they are read.
private final class CountedBytes: MediaBytes, Sendable {
    private let bytes: [UInt8]
    private let reads = Lock(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }
    var readCount: Int { reads.withLock { $0 } }

    func read(at offset: Int, count: Int) -> [UInt8] {
        reads.withLock { $0 += 1 }
        return ArrayBytes(bytes).read(at: offset, count: count)
    }
}

@Suite("A window on bytes") struct TransportWindowTests {
    private static let bytes = [UInt8](0..<64)
    private let source = CountedBytes(bytes)

    @Test("reads a piece once, up to its last byte")
    func pieces() {
        var window = ByteWindow(source, pieceSize: 16)
        let numbers = (0..<16).map { window.number(at: $0, 1) }
        #expect(numbers.compactMap(\.self) == Array(0..<16) && source.readCount == 1)
        let (whole, end) = (window.bytes(at: 0, 16), window.bytes(at: 8, 8))
        #expect(whole == Self.bytes[..<16] && end == Self.bytes[8..<16])
        #expect(source.readCount == 1)
        let next = window.number(at: 16, 2)
        #expect(next == 0x1011 && source.readCount == 2)
    }

    @Test("reads another piece for bytes before it, and for those that it has in part")
    func otherPieces() {
        var window = ByteWindow(source, pieceSize: 16)
        let numbers = [20, 19, 33, 34, 35].map { window.number(at: $0, 2) }
        #expect(numbers == [0x1415, 0x1314, 0x2122, 0x2223, 0x2324])
        #expect(source.readCount == 3)
        // The piece is larger where more is asked for.
        let long = window.bytes(at: 30, 30)
        #expect(long == Self.bytes[30..<60] && source.readCount == 4)
        let last = window.number(at: 59, 1)
        #expect(last == 59 && source.readCount == 4)
    }

    @Test("has nothing before the first byte and behind the last one")
    func borders() {
        var window = ByteWindow(source, pieceSize: 16)
        let found = [(60, 4), (63, 1), (61, 4), (64, 1), (-1, 1), (0, 8)].map {
            window.number(at: $0.0, $0.1)
        }
        #expect(found == [0x3C3D_3E3F, 63, nil, nil, nil, 0x0001_0203_0405_0607])
    }
}
