extension SampleMedia {
    /// Something that stands before media, with its name in messages.
    public struct Wrapping: Sendable {
        /// Its name.
        public let name: String
        /// Its bytes; none of them is where a transport packet could begin.
        public let bytes: [UInt8]
    }

    /// Pictures, a page and tags.
    public static let wrappings = [
        Wrapping(name: "PNG", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + noise(300)),
        // A picture of one dot has so many bytes.
        Wrapping(name: "PNG", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + noise(60)),
        Wrapping(name: "JPEG", bytes: [0xFF, 0xD8, 0xFF, 0xE0] + noise(700)),
        Wrapping(name: "GIF", bytes: Array("GIF89a".utf8) + noise(36)),
        Wrapping(name: "BMP", bytes: Array("BM".utf8) + [9, 9, 0, 0, 0, 0, 0, 0] + noise(200)),
        Wrapping(name: "HTML", bytes: Array("<!DOCTYPE html><html><body>hi</body></html>\n".utf8)),
        Wrapping(name: "ID3", bytes: id3(73)), Wrapping(name: "ID3", bytes: id3(9000)),
    ]

    private static func noise(_ count: Int) -> [UInt8] {
        OriginResource.pattern(count, seed: 12).map { $0 == 0x47 ? 0x48 : $0 }
    }

    /// Ways in which bytes are compressed that tell so, or do not.
    public enum Coding: String, Sendable, CaseIterable {
        case gzip, zlib, deflate, brotli
    }

    /// Compressed bytes, at most 65,536 of them for brotli; an empty result means that `gzip` is missing.
    public static func compressed(_ bytes: [UInt8], _ coding: Coding) -> [UInt8] {
        let gzip = Gzip.compress(bytes)
        guard gzip.count > 18 else { return [] }
        let deflate = Array(gzip.dropFirst(10).dropLast(8))
        switch coding {
        case .gzip: return gzip
        case .deflate: return deflate
        case .zlib: return [0x78, 0x9C] + deflate + ProtectedMovie.number(adler32(bytes), 4)
        case .brotli:
            // RFC 7932, section 9.2: a window of 16 bits, then a part that is not compressed, and an empty last one.
            let head = (bytes.count - 1) << 4 | 1 << 20
            return (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + bytes + [3]
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> Int {
        let (low, high) = bytes.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return high << 16 | low
    }
}
