/// An EXT-X-MAP: the bytes that a parser needs before the segments (RFC 8216bis §4.4.4.5).
public struct InitializationSection: Sendable, Hashable {
    /// The URI as written, variables replaced.
    public var uri: String
    /// BYTERANGE; the whole resource when `nil`.
    public var byteRange: ByteRange?
    /// The keys in force where the tag stands; under AES-128 the section is encrypted and its key has an IV.
    public var keys: [EncryptionKey]

    /// A section of the given parts.
    public init(uri: String, byteRange: ByteRange? = nil, keys: [EncryptionKey] = []) {
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }
}
