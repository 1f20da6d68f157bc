/// Writes big-endian numbers and the boxes of MP4 (ISO/IEC 14496-12, section 4.2) into one buffer.
///
/// ```swift
/// var writer = ByteWriter()
/// writer.box("tfhd", version: 0, flags: 0x02_0000) { $0.u32(1) }
/// ```
struct ByteWriter {
    /// All bytes that were written.
    private(set) var bytes: [UInt8] = []

    /// An empty buffer.
    ///
    /// - Parameter capacity: bytes that are reserved at once.
    init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// The bytes written so far.
    var count: Int { bytes.count }

    mutating func u8(_ value: some BinaryInteger) { bytes.append(UInt8(truncatingIfNeeded: value)) }

    mutating func u16(_ value: some BinaryInteger) { number(UInt64(truncatingIfNeeded: value), 2) }

    mutating func u24(_ value: some BinaryInteger) { number(UInt64(truncatingIfNeeded: value), 3) }

    mutating func u32(_ value: some BinaryInteger) {
        // Written out: the tables of a film have millions of them.
        let value = UInt32(truncatingIfNeeded: value)
        bytes.append(UInt8(truncatingIfNeeded: value >> 24))
        bytes.append(UInt8(truncatingIfNeeded: value >> 16))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends numbers of 32 bits, faster than one by one.
    mutating func append(_ numbers: [UInt32]) {
        bytes.append(addingCapacity: 4 * numbers.count) { span in
            for number in numbers {
                span.append(UInt8(truncatingIfNeeded: number >> 24))
                span.append(UInt8(truncatingIfNeeded: number >> 16))
                span.append(UInt8(truncatingIfNeeded: number >> 8))
                span.append(UInt8(truncatingIfNeeded: number))
            }
        }
    }

    mutating func u64(_ value: some BinaryInteger) { number(UInt64(truncatingIfNeeded: value), 8) }

    /// Appends the lowest `length` bytes of a number, the highest of them first.
    mutating func number(_ value: UInt64, _ length: Int) {
        for place in stride(from: length - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
        }
    }

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func zeros(_ length: Int) { bytes.append(contentsOf: repeatElement(0, count: length)) }

    /// Appends the characters of a text, without a length or an end.
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Replaces four bytes that were written before.
    mutating func patch32(at offset: Int, _ value: some BinaryInteger) {
        patch(at: offset, UInt64(truncatingIfNeeded: value), 4)
    }

    /// Replaces eight bytes that were written before.
    mutating func patch64(at offset: Int, _ value: UInt64) { patch(at: offset, value, 8) }

    private mutating func patch(at offset: Int, _ value: UInt64, _ length: Int) {
        for place in 0..<length {
            bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (length - 1 - place)))
        }
    }

    /// Appends a box; its length is filled in when its content has been written.
    mutating func box<Failure: Error>(
        _ type: String, _ content: (inout ByteWriter) throws(Failure) -> Void
    ) throws(Failure) {
        let start = bytes.count
        u32(0)
        text(type)
        try content(&self)
        patch32(at: start, bytes.count - start)
    }

    /// Appends a box with a version and flags (`FullBox`).
    mutating func box<Failure: Error>(
        _ type: String, version: Int, flags: Int = 0, _ content: (inout ByteWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try box(type) { (writer) throws(Failure) in
            writer.u8(version)
            writer.u24(flags)
            try content(&writer)
        }
    }
}
