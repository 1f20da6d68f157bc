/// The decoder of a stream, as `esds` describes it (ISO/IEC 14496-1, section 7.2.6).
struct DecoderDescriptor {
    /// The type of the codec (section 7.2.6.6).
    let object: Int
    /// The data that its decoder needs; empty for none.
    private(set) var configuration: [UInt8] = []

    /// Reads the content of a box.
    init?(_ box: [UInt8]) {
        var reader = NumberReader(box, 4..<max(box.count, 4))
        guard reader.descriptor(3) != nil, reader.next(2) != nil, let flags = reader.next(1) else {
            return nil
        }
        reader.skip(flags & 0x80 == 0 ? 0 : 2)
        if flags & 0x40 != 0 { reader.skip(reader.next(1) ?? 0) }
        reader.skip(flags & 0x20 == 0 ? 0 : 2)
        guard reader.descriptor(4) != nil, let object = reader.next(1) else { return nil }
        self.object = object
        reader.skip(12)
        guard let length = reader.descriptor(5) else { return }
        while configuration.count < length, let byte = reader.next(1) {
            configuration.append(UInt8(truncatingIfNeeded: byte))
        }
    }
}

extension NumberReader {
    /// Reads tag and length of an MPEG-4 descriptor; `nil` when the tag is another one.
    fileprivate mutating func descriptor(_ tag: Int) -> Int? {
        guard next(1) == tag else { return nil }
        var length = 0
        for _ in 0..<4 {
            guard let byte = next(1) else { return nil }
            length = length << 7 | byte & 127
            if byte & 128 == 0 { break }
        }
        return length
    }
}
