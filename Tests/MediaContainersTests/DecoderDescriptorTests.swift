import Testing

@testable import MediaContainers

@Suite("The decoder descriptor of an esds box")
struct DecoderDescriptorTests {
    /// Version and flags of the box, then an ES descriptor with a number and flags.
    private func box(flags: UInt8 = 0, extra: [UInt8] = [], decoder: [UInt8]) -> [UInt8] {
        [0, 0, 0, 0, 3, 0x19, 0, 1, flags] + extra + decoder
    }

    /// A decoder descriptor of AAC with an AudioSpecificConfig of two bytes.
    private let aac: [UInt8] =
        [4, 0x11, 0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 2, 0x12, 0x10]

    @Test("has the codec and its configuration, behind the optional fields of its parent")
    func complete() throws {
        let forms = [
            box(decoder: aac), box(flags: 0x80, extra: [0, 9], decoder: aac),
            box(flags: 0x40, extra: [2, 0x61, 0x62], decoder: aac),
            box(flags: 0x20, extra: [0, 7], decoder: aac),
            box(flags: 0xE0, extra: [0, 9, 1, 0x61, 0, 7], decoder: aac),
        ]
        for form in forms {
            let descriptor = try #require(DecoderDescriptor(form))
            #expect(descriptor.object == 0x40 && descriptor.configuration == [0x12, 0x10])
        }
    }

    @Test("may have a length of up to four bytes, and no configuration")
    func lengths() throws {
        let long = box(decoder: [4, 0x80, 0x80, 0x80, 0x11] + aac.dropFirst(2))
        #expect(DecoderDescriptor(long)?.configuration == [0x12, 0x10])
        let bare = try #require(DecoderDescriptor(box(decoder: [4, 0x01, 0x6B])))
        #expect(bare.object == 0x6B && bare.configuration.isEmpty)
        #expect(DecoderDescriptor(box(decoder: Array(aac.dropLast())))?.configuration == [0x12])
    }

    @Test("is nothing in a box that ends early, or has another descriptor")
    func broken() {
        let whole = box(decoder: aac)
        for count in 0..<12 { #expect(DecoderDescriptor(Array(whole.prefix(count))) == nil, "\(count)") }
        #expect(DecoderDescriptor(Array(whole.prefix(12)))?.object == 0x40)
        #expect(DecoderDescriptor(box(decoder: [6] + aac.dropFirst())) == nil)
        #expect(DecoderDescriptor([0, 0, 0, 0, 4] + whole.dropFirst(5)) == nil)
    }
}
