/// The content that an origin serves under one path.
public struct OriginResource: Sendable {
    /// The content.
    public var bytes: [UInt8]
    /// `Content-Type`.
    public var contentType: String
    /// `ETag`, with its quotes; nil means none.
    public var etag: String?
    /// `Last-Modified`; nil means none.
    public var lastModified: String?

    /// A resource with a strong entity tag made from its content.
    public init(
        bytes: [UInt8], contentType: String = "application/octet-stream",
        lastModified: String? = "Sat, 01 Jan 2022 00:00:00 GMT"
    ) {
        self.bytes = bytes
        self.contentType = contentType
        self.lastModified = lastModified
        let hash = bytes.reduce(into: UInt64(14_695_981_039_346_656_037)) {
            $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        etag = "\"\(String(hash, radix: 16))\""
    }

    /// `count` bytes that differ from place to place and, with another seed, from each other.
    public static func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }
}
