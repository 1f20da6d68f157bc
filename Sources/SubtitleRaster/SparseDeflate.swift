internal import CPangoCairo

/// Compresses data that are mostly zeros (RFC 1950, RFC 1951): the code for a long stretch of zeros is known, and
/// written without reading each byte; the rest goes through zlib.
struct SparseDeflate {
    /// The bytes that were written so far.
    private(set) var bytes: [UInt8] = [0x78, 0x01]
    private var bits: UInt64 = 0
    private var bitCount: UInt64 = 0
    private var checksum: UInt = 1

    /// Appends zeros.
    mutating func append(zeros count: Int) {
        guard count > 0 else { return }
        startZeroBlock()
        append(zeroLiteral, 2)
        // A match of 258 bytes with the byte before is two zero bits.
        for _ in 0..<((count - 1) / SparseDeflate.match) { append(0, 2) }
        for _ in 0..<((count - 1) % SparseDeflate.match) { append(zeroLiteral, 2) }
        append(0b11, 2)
        align()
        let (low, high) = (checksum & 0xFFFF, checksum >> 16)
        checksum = ((high + UInt(count) % 65521 * low) % 65521) << 16 | low
    }

    /// Appends other bytes. `false` when zlib has no memory.
    mutating func append(_ content: [UInt8]) -> Bool {
        checksum = unsafe cpc_adler32(checksum, content, UInt32(content.count))
        return unsafe content.withUnsafeBufferPointer { unsafe deflate($0) }
    }

    /// The end of the stream.
    mutating func finish() -> [UInt8] {
        append(1, 3)
        flush()
        bytes += [0, 0, 0xFF, 0xFF]
        for shift: UInt in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
        return bytes
    }

    /// The longest match of the format.
    private static let match = 258
    /// The code of a zero, as its bits stand in the stream.
    private var zeroLiteral: UInt64 { 0b01 }

    /// The head of a block with codes for zeros alone: `0` is the longest match, `10` a zero, `11` the block's end; and `0`
    /// is the distance 1 (RFC 1951 §3.2.7).
    private mutating func startZeroBlock() {
        append(0b100, 3)
        append(29, 5)
        append(0, 5)
        append(14, 4)
        // The lengths of the codes for lengths, in their order: 18 has one bit, 2 and 1 have two.
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] as [UInt64] { append(length, 3) }
        append(0b11, 2)
        for run in [138, 117] as [UInt64] { appendZeroLengths(run) }
        append(0b11, 2)
        appendZeroLengths(28)
        for _ in 0..<2 { append(0b01, 2) }
    }

    /// Code 18: so many codes are not used.
    private mutating func appendZeroLengths(_ count: UInt64) {
        append(0, 1)
        append(count - 11, 7)
    }

    private mutating func append(_ value: UInt64, _ count: UInt64) {
        bits |= value << bitCount
        bitCount += count
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// An empty stored block, after which a byte begins.
    private mutating func align() {
        append(0, 3)
        flush()
        bytes += [0, 0, 0xFF, 0xFF]
    }

    private mutating func flush() {
        if bitCount > 0 { append(0, 8 - bitCount) }
    }

    /// Appends zlib's blocks, without a header and without an end.
    private mutating func deflate(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        var stream = unsafe z_stream()
        let size = Int32(unsafe MemoryLayout<z_stream>.size)
        guard unsafe cpc_deflateInit2_(&stream, 1, 8, -15, 8, 0, "1.2.11", size) == 0 else { return false }
        defer { _ = unsafe cpc_deflateEnd(&stream) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        unsafe stream.next_in = content.baseAddress
        unsafe stream.avail_in = UInt32(content.count)
        var isFull = true
        while isFull {
            let status = unsafe buffer.withUnsafeMutableBufferPointer { room in
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                return unsafe cpc_deflate(&stream, Int32(CPC_SYNC_FLUSH))
            }
            guard status == 0 || status == CPC_BUF_ERROR else { return false }
            let left = Int(unsafe stream.avail_out)
            bytes += buffer.prefix(buffer.count - left)
            isFull = left == 0
        }
        return true
    }
}
