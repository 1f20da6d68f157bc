internal import CCompression

/// Compression as gzip (RFC 1952), for content that is made once and sent often.
package enum Gzip {
    /// The bytes compressed; `nil` where zlib is not there, or they would not get shorter.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        let made = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            guard let output = buffer.baseAddress else { return }
            count = unsafe bytes.withUnsafeBufferPointer { input in
                guard let first = input.baseAddress else { return 0 }
                return unsafe ccompression_gzip(first, input.count, output, buffer.count)
            }
        }
        return made.isEmpty ? nil : made
    }
}
