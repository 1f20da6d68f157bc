import Locking
import MediaContainers
import TestSupport
import Testing

@Suite("A look at packets, at the borders of what it takes")
struct LookPacketTests {
    /// Packets in each of which a picture begins, with no other byte that packets begin with.
    private static func packets(_ count: Int) -> [UInt8] {
        let head: [UInt8] = [0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
        let packet = head + [UInt8](repeating: 0x55, count: 175)
        return (0..<count).flatMap { _ in packet }
    }

    @Test(
        "passes over two packets or a twentieth of the bytes that are lost, and over no byte more",
        arguments: [(10, 376, true), (10, 377, false), (100, 989, true), (100, 990, false)])
    func losses(_ count: Int, _ lost: Int, isTaken: Bool) {
        // The last byte is one that packets begin with; behind it there is no room for a packet.
        let noise = [UInt8](repeating: 0x66, count: lost - 1) + [0x47]
        let defect = MediaVerdict.undecodable(.syncLost(at: count * 188))
        #expect(look(Self.packets(count) + noise) == (isTaken ? .media(.transportStream) : defect))
    }

    @Test("finds the step though two of the four packets behind the first are broken, not three")
    func brokenStart() {
        var bytes = Self.packets(40)
        for packet in 1...2 { bytes[packet * 188] = 0 }
        #expect(look(bytes) == .media(.transportStream))
        bytes[3 * 188] = 0
        #expect(look(bytes) == .unrecognized)
    }

    @Test("takes a packet with a time before it only as a whole", arguments: [(191, false), (192, true)])
    func cutPacket(_ count: Int, isTaken: Bool) {
        let bytes = Array(SampleMedia.withTimes(Self.packets(1)).prefix(count))
        #expect(look(bytes) == (isTaken ? .media(.transportStream) : .unrecognized))
    }

    @Test("takes scrambled packets where a program map stands before them, or from three of them on")
    func scrambled() {
        for count in 1...4 {
            let packets = SampleMedia.continuations(count, scrambled: true)
            let verdict: MediaVerdict =
                count > 2 ? .media(.transportStream) : .undecodable(.noPacketStart)
            #expect(look(packets) == verdict)
            #expect(look(SampleMedia.tables + packets) == .media(.transportStream))
        }
    }

    @Test(
        "reads samples of a stream that is in step, if they are less than an eighth of it",
        arguments: [(1025, false), (1026, true), (20_000, true)])
    func samples(_ count: Int, isSampled: Bool) {
        let bytes = CountedPackets(bytes: Self.packets(count))
        let verdict = MediaLook(expecting: MediaExpectation(.segment)).judge(bytes)
        #expect(verdict == .media(.transportStream))
        let read = bytes.read.withLock { $0 }
        // A piece of 64 KiB at the beginning, and 33 samples of four packets.
        #expect(isSampled ? read < 100_000 : read >= bytes.count)
    }
}

/// Bytes that know how many of them were read.
private struct CountedPackets: MediaBytes {
    let bytes: [UInt8]
    let read = Lock(0)

    var count: Int { bytes.count }

    func read(at offset: Int, count: Int) -> [UInt8] {
        read.withLock { $0 += count }
        return ArrayBytes(bytes).read(at: offset, count: count)
    }
}
