/// How much a playlist may hold; more is refused with `PlaylistError.Code.overLimit`.
public struct ParseLimits: Sendable, Hashable {
    /// Bytes of the text, after decompression: 32 MiB. At most 2 GiB.
    public var bytes = 32 << 20
    /// Bytes of one line: 64 KiB.
    public var lineLength = 64 << 10
    /// Segments, and partial segments, of a media playlist: 500,000 each.
    public var segments = 500_000
    /// Variants, renditions and other entries of a multivariant playlist together: 10,000.
    public var streams = 10_000
    /// Attributes of all tags together: 1,000,000. A tag counts as four more, and a key or map as one more for
    /// each key in force with it.
    public var attributes = 1_000_000
    /// Lines kept as `otherTags` and `trailingTags`: 2,000,000.
    public var otherTags = 2_000_000
    /// Keys of different `KEYFORMAT` in force at once: 16.
    public var keyFormats = 16
    /// Bytes of text made by substituting variables: 32 MiB.
    public var substitutedBytes = 32 << 20

    /// The limits named at each property.
    public init() {}
}
