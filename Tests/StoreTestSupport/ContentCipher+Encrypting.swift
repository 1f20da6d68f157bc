@testable package import MediaDecryption

extension ContentCipher {
    /// One block, encrypted: the first one of a CTR stream over zeros.
    private func encrypted(_ block: [UInt8]) throws -> [UInt8] {
        try stream([UInt8](repeating: 0, count: 16)[...], iv: block)
    }

    /// Whole blocks as CBC encrypts them.
    package func chained(_ bytes: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        var (last, result) = (iv, [UInt8]())
        for start in stride(from: 0, to: bytes.count / 16 * 16, by: 16) {
            last = try encrypted(zip(last, bytes[start..<start + 16]).map { $0 ^ $1 })
            result += last
        }
        return result
    }

    /// A whole segment of METHOD=AES-128.
    package func segment(_ bytes: [UInt8], iv: [UInt8]) throws -> [UInt8] {
        let padding = 16 - bytes.count % 16
        return try chained(bytes + [UInt8](repeating: UInt8(padding), count: padding), iv: iv)
    }
}
