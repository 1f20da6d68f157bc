import Testing

@testable import MediaContainers

/// Packets that are made byte by byte: clock references and time stamps at the borders of their fields.
@Suite("The clock of handmade packets") struct TransportReferenceTests {
    private static let last = Int64(1) << 33 - 1

    /// A clock reference with an extension of 300.
    private static func reference(_ time: Int64) -> [UInt8] {
        let bytes = [25, 17, 9, 1].map { UInt8(truncatingIfNeeded: time >> $0) }
        return bytes + [UInt8(time & 1) << 7 | 0x7F, 0x2C]
    }

    /// A packet of an adaptation field with two clock references, of which flags and length tell how many count.
    private static func packet(
        _ times: [Int64], flags: UInt8 = 0x18, length: UInt8 = 183, control: UInt8 = 0x20
    ) -> [UInt8] {
        let head: [UInt8] = [0x47, 1, 0, control, length, flags]
        let content = head + times.flatMap(reference)
        return content + [UInt8](repeating: 0xFF, count: 188 - content.count)
    }

    private static func moved(_ bytes: [UInt8], by shift: Int64) -> [UInt8] {
        var bytes = bytes
        TransportClock(shift: shift).move(&bytes)
        return bytes
    }

    @Test(
        "moves the references that are whole in their field, and none behind it",
        arguments: [(6, 0), (7, 1), (12, 1), (13, 2), (183, 2), (255, 2)] as [(UInt8, Int)])
    func lengths(length: UInt8, count: Int) {
        let moved = Self.moved(Self.packet([1000, 5001], length: length), by: 90_001)
        let times: [Int64] = [count > 0 ? 91_001 : 1000, count > 1 ? 95_002 : 5001]
        #expect(moved == Self.packet(times, length: length))
    }

    @Test(
        "moves the references that flags name: without the first one, the original one stands in its place",
        arguments: [(0x10, 1), (0x08, 1), (0x18, 2), (0xE7, 0)] as [(UInt8, Int)])
    func flags(flags: UInt8, count: Int) {
        let moved = Self.moved(Self.packet([1000, 5000], flags: flags), by: -100)
        let times: [Int64] = [count > 0 ? 900 : 1000, count > 1 ? 4900 : 5000]
        #expect(moved == Self.packet(times, flags: flags))
    }

    @Test("leaves payload that looks like a reference, and all bytes where nothing is to be moved")
    func unchanged() {
        let payload = Self.packet([1000, 5000], control: 0x10)
        #expect(Self.moved(payload, by: 90_000) == payload)
        let packet = Self.packet([1000, 5000])
        #expect(Self.moved(packet, by: 0) == packet)
    }

    @Test("begins anew behind the last time of 33 bits, and before the first")
    func wraps() {
        #expect(Self.moved(Self.packet([Self.last, 5]), by: 1) == Self.packet([0, 6]))
        #expect(Self.moved(Self.packet([0, 5]), by: -6) == Self.packet([Self.last - 5, Self.last]))
    }

    @Test(
        "moves both time stamps of a PES packet, or the one that it has",
        arguments: [90_000, -3600] as [Int64])
    func stamps(_ shift: Int64) {
        func stream(_ shift: Int64) -> [UInt8] {
            let bytes = [UInt8](repeating: 0x21, count: 300)
            return HandmadeStream(
                [HandmadeStream.Entry(type: 0x1B), HandmadeStream.Entry(stream: 257, type: 0x0F)],
                [
                    .init(presentation: 0x1_2345_6789 + shift, decoding: 0x1_2345_0000 + shift, bytes: bytes),
                    .init(stream: 257, presentation: 7200 + shift, bytes: bytes), .init(bytes: bytes),
                    .init(presentation: 10_800 + shift, bytes: bytes, isRandomAccess: true),
                ]
            ).bytes
        }
        #expect(Self.moved(stream(0), by: shift) == stream(shift))
    }

    /// A PES packet in two packets, of which the first has so many bytes, with packets of another stream between.
    private static func cut(_ cut: Int, _ shift: Int64) -> HandmadeStream {
        var header: [UInt8] = []
        PESWriter.begin(&header, kind: 0xE0, presentation: 90_000 + shift, decoding: 86_400 + shift)
        var stream = HandmadeStream([HandmadeStream.Entry(type: 0x1B)])
        stream.appendPacket(256, begins: true, Array(header[..<cut]))
        stream.appendPacket(257, begins: false, [UInt8](repeating: 0x11, count: 184))
        stream.appendPacket(256, begins: false, Array(header[cut...]) + [UInt8](repeating: 0x22, count: 100))
        return stream
    }

    @Test("moves time stamps of a header that goes on in the next packet", arguments: 1...18)
    func headers(_ count: Int) {
        #expect(Self.moved(Self.cut(count, 0).bytes, by: 5_000_000) == Self.cut(count, 5_000_000).bytes)
    }

    @Test("moves the time stamp of PES packets that are shorter than the longest header")
    func short() {
        func stream(_ shift: Int64) -> [UInt8] {
            var stream = HandmadeStream([HandmadeStream.Entry(type: 0x06)])
            for time in [90_000, 93_600] as [Int64] {
                var bytes: [UInt8] = []
                PESWriter.begin(&bytes, kind: 0xBD, presentation: time + shift, decoding: nil)
                stream.appendPacket(256, begins: true, bytes + [0x7F, 0xE0])
            }
            return stream.bytes
        }
        #expect(Self.moved(stream(0), by: 5000) == stream(5000))
    }

    @Test("leaves scrambled packets, and a header whose beginning is not there")
    func unread() {
        var scrambled = Self.cut(19, 0)
        scrambled.scramble()
        #expect(Self.moved(scrambled.bytes, by: 90_000) == scrambled.bytes)
        var header: [UInt8] = []
        PESWriter.begin(&header, kind: 0xE0, presentation: 90_000, decoding: 86_400)
        var stream = HandmadeStream([HandmadeStream.Entry(type: 0x1B)])
        stream.appendPacket(256, begins: false, header + [UInt8](repeating: 0x22, count: 100))
        #expect(Self.moved(stream.bytes, by: 90_000) == stream.bytes)
    }
}
