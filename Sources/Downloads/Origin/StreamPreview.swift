/// The renditions and bytes that a download with a selection would store.
public struct StreamPreview: Sendable {
    /// The renditions that would be stored.
    public var renditions: [AssetRendition]
    /// Renditions that can't be read, with the reason.
    public var lost: [String]
    /// Seconds.
    public var duration: Double
    /// The estimated bytes of the download.
    public var size: SizeEstimate
    /// The names of the key providers that a download would ask.
    public var keyProviders: [String]
    /// The parts of the request that are not in the stream, or don't apply.
    public var leftOut: [LeftOut] = []

    package init(
        renditions: [AssetRendition], lost: [String], duration: Double, size: SizeEstimate,
        keyProviders: [String], leftOut: [LeftOut]
    ) {
        (self.renditions, self.lost, self.duration) = (renditions, lost, duration)
        (self.size, self.keyProviders, self.leftOut) = (size, keyProviders, leftOut)
    }
}
