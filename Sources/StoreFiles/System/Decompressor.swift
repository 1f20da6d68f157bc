internal import CCompression

/// A decoder of bytes that were compressed and not said to be.
@safe package final class Decompressor {
    /// A compression format.
    package enum Coding: String, CaseIterable {
        /// gzip (RFC 1952) or zlib (RFC 1950), by the header.
        case gzip
        /// Deflate without a header (RFC 1951).
        case deflate
        /// Brotli (RFC 7932).
        case brotli = "br"
    }

    private let stream: OpaquePointer
    package private(set) var isEnded = false
    private static let pieceSize = 256 << 10

    /// A decoder; `nil` when its library is not there.
    package init?(_ coding: Coding) {
        let number: ccompression_coding =
            switch coding {
            case .gzip: CCOMPRESSION_GZIP
            case .deflate: CCOMPRESSION_DEFLATE
            case .brotli: CCOMPRESSION_BROTLI
            }
        guard let stream = unsafe ccompression_open(number) else { return nil }
        unsafe self.stream = stream
    }

    deinit { unsafe ccompression_close(stream) }

    /// Decodes more bytes.
    ///
    /// - Parameter write: is called with each piece of output.
    /// - Returns: whether the input is valid.
    package func decode(_ input: [UInt8], _ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError)
        -> Bool
    {
        var offset = 0
        while !isEnded {
            var (consumed, produced) = (0, 0)
            var result = CCOMPRESSION_MORE
            let room = Self.pieceSize
            let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                unsafe input.withUnsafeBufferPointer { bytes in
                    unsafe result = ccompression_step(
                        stream, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &consumed,
                        buffer.baseAddress, room, &produced)
                }
                count = produced
            }
            offset += consumed
            if !output.isEmpty { try write(output) }
            guard result != CCOMPRESSION_BROKEN else { return false }
            isEnded = result == CCOMPRESSION_END
            // With room left, it has taken all that there is.
            if produced < room { return true }
        }
        return true
    }
}
