/// The progress of a download, at most four times a second for each. It is not in the log.
public struct AssetProgress: Sendable, Equatable {
    /// The asset.
    public var token: AssetToken
    /// From 0 to 1; never goes back.
    public var progress: Double
    /// Bytes on disk.
    public var storedBytes: Int64
    /// Bytes when complete; `nil` while that can't even be estimated.
    public var expectedBytes: Int64?
    /// Bytes per second that arrive now; `nil` before the first second.
    public var speed: Double?

    package init(
        token: AssetToken, progress: Double, storedBytes: Int64, expectedBytes: Int64? = nil,
        speed: Double? = nil
    ) {
        self.token = token
        self.progress = progress
        self.storedBytes = storedBytes
        self.expectedBytes = expectedBytes
        self.speed = speed
    }
}

/// A message to followers of a store.
public enum AssetUpdate: Sendable {
    /// Something happened; the event is in the log.
    case event(AssetEvent)
    /// A download has come further.
    case progress(AssetProgress)
    /// A download begins to retry or to wait, still does so, or has recovered. It is not in the log.
    case activity(AssetToken, AssetActivity?)
    /// Requested events are no longer in the log: read all assets again. The following events are complete.
    case gap
}
