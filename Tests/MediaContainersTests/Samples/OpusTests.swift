import Testing

@testable import MediaContainers

@Suite("Access units of Opus") struct OpusTests {
    /// A unit whose packet has a size, with a head for 20 ms.
    private func unit(_ size: Int) -> [UInt8] {
        let steps = [UInt8](repeating: 255, count: size / 255) + [UInt8(size % 255)]
        return [0x7F, 0xE0] + steps + [0x08] + [UInt8](repeating: 7, count: size - 1)
    }

    private func look(_ bytes: [UInt8]) throws -> SoundLook {
        try #require(OpusStream(configuration: 2)).look(bytes, at: 0)
    }

    @Test(
        "have packets of 65 kB at most, whose last byte is there",
        arguments: [1, 254, 255, 256, 65_280, 65_534])
    func sizes(size: Int) throws {
        let bytes = unit(size)
        guard case .frame(let frame) = try look(bytes) else { throw SampleError.tooLarge }
        #expect(frame.length == bytes.count && frame.payloads.map(\.count) == [size])
        guard case .partial = try look(bytes.dropLast()) else { throw SampleError.tooLarge }
        guard case .nothing = try look(unit(65_535)) else { throw SampleError.tooLarge }
    }

    @Test("have a length by their first byte, and by the second where this says so; up to 120 ms")
    func lengths() {
        func samples(_ packet: UInt8...) -> Int? { OpusStream.samples(packet[...]) }
        #expect(OpusStream.samples([]) == nil)
        #expect(samples(0) == 480 && samples(1) == 960 && samples(2) == 960 && samples(3) == nil)
        #expect(
            samples(3, 1) == 480 && samples(3, 12) == 5760 && samples(3, 13) == nil && samples(3, 0) == nil)
        #expect(samples(12 << 3) == 480 && samples(15 << 3) == 960 && samples(16 << 3) == 120)
        #expect(
            samples(31 << 3) == 960 && samples(16 << 3 | 3, 48) == 5760 && samples(16 << 3 | 3, 49) == nil)
    }
}

@Suite("ID3 tags beside packed audio") struct TagEndTests {
    private func end(_ bytes: [UInt8], from start: Int = 0) -> Int {
        var window = ByteWindow(ArrayBytes(bytes))
        return ID3.end(of: &window, from: start)
    }

    @Test("are passed where they are whole, one after the other, with their footers")
    func borders() {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 7, 7, 7]
        #expect(end(tag) == 13 && end(tag + tag) == 26 && end(tag + [0xFF]) == 13)
        #expect(end(tag.dropLast() + []) == 0 && end(tag + tag.dropLast()) == 13)
        var footed = tag
        footed[5] = 0x10
        let footer = [UInt8](repeating: 9, count: 10)
        #expect(end(footed) == 0 && end(footed + footer) == 23 && end(footed + footer.dropLast()) == 0)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        #expect(end(old) == 128 && end(tag + old) == 141 && end(old + [0]) == 0)
    }
}
