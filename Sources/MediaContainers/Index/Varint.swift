/// Writes numbers in as few bytes as they need: seven bits a byte, the lowest first.
struct VarintWriter {
    private(set) var bytes: [UInt8] = []

    mutating func unsigned(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    /// Numbers near zero are short, whatever their sign.
    mutating func signed(_ value: Int64) { unsigned(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    mutating func data(_ data: some Collection<UInt8>) {
        unsigned(UInt64(data.count))
        bytes.append(contentsOf: data)
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }
}

/// Reads numbers that a `VarintWriter` wrote; throws at invalid bytes.
struct VarintReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes that are left.
    var left: Int { bytes.count - offset }

    private var failure: SampleError { .malformed(offset: offset, reason: "index") }

    mutating func byte() throws(SampleError) -> UInt8 {
        guard offset < bytes.count else { throw failure }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func unsigned() throws(SampleError) -> UInt64 {
        let first = try byte()
        // Most numbers have one byte or two: an index of a film has a million of them.
        return first < 0x80 ? UInt64(first) : try unsigned(after: first)
    }

    /// The number of which the first byte was read.
    private mutating func unsigned(after first: UInt8) throws(SampleError) -> UInt64 {
        var (value, shift) = (UInt64(first & 0x7F), UInt64(7))
        while true {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw failure }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed() throws(SampleError) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number that may be no larger than a limit.
    mutating func number(upTo limit: Int) throws(SampleError) -> Int {
        let value = try unsigned()
        guard value <= UInt64(limit) else { throw failure }
        return Int(value)
    }

    mutating func data() throws(SampleError) -> [UInt8] {
        let length = try unsigned()
        guard length <= UInt64(left) else { throw failure }
        let count = Int(length)
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }
}
