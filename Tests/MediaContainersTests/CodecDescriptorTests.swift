import Testing

@testable import MediaContainers

@Suite("The configuration in a decoder descriptor") struct CodecDescriptorTests {
    /// The content of an `esds` box, with a decoder of AAC whose configuration has a told length.
    private func box(_ length: [UInt8], _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 3, 0x19, 0, 1, 0, 4, 0x11, 0x40, 0x15]
        bytes += [UInt8](repeating: 0, count: 11)
        bytes.append(5)
        return bytes + length + content
    }

    @Test("ends with its length, whatever descriptor follows")
    func length() {
        // The descriptor behind it is that of the packets' sizes, which every stream has.
        let bytes: [UInt8] = [0x12, 0x10, 6, 1, 2]
        #expect(DecoderDescriptor(box([2], bytes))?.configuration == [0x12, 0x10])
        #expect(DecoderDescriptor(box([0], bytes))?.configuration.isEmpty == true)
        #expect(DecoderDescriptor(box([1], bytes))?.configuration == [0x12])
        #expect(DecoderDescriptor(box([0x80, 0x80, 0x80, 2], bytes))?.configuration == [0x12, 0x10])
        #expect(DecoderDescriptor(box([5], bytes))?.configuration == bytes)
        #expect(DecoderDescriptor(box([6], bytes))?.configuration == bytes, "the box ends early")
    }

    @Test("may have more than 127 bytes")
    func long() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        #expect(DecoderDescriptor(box([0x82, 0x2B], bytes))?.configuration == Array(bytes.prefix(299)))
    }

    @Test("is read as it was written", arguments: [1, 2, 127, 128, 300, 20_000])
    func written(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var writer = ByteWriter()
        writer.elementaryDescriptor(object: 0x40, configuration: bytes)
        let read = try #require(DecoderDescriptor(Array(writer.bytes.dropFirst(8))))
        #expect(read.object == 0x40 && read.configuration == bytes)
    }
}
