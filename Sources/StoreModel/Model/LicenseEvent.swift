/// Something that happened to the license of an asset, or to its keys.
public struct LicenseEvent: Sendable, Equatable {
    /// The kinds of events.
    public enum Kind: String, Sendable {
        /// The license was granted with the download.
        case requested
        /// The license was renewed.
        case renewed
        /// A provider gave its keys again, ahead of the date that it had named; the terms go on.
        case keysRenewed = "keys-renewed"
        /// The license was revoked, and its keys were wiped.
        case revoked
        /// A key was handed out for the first time.
        case played
        /// Keys were handed out.
        case keyHandedOut = "key-handed-out"
        /// A key, or a blob that takes the place of one, was given by the user.
        case keyAdded = "key-added"
    }

    /// The kind of event.
    public var kind: Kind
    /// The time of the event; for several of the same kind, that of the last one.
    package var at: Timestamp
    /// How many times.
    public var count: Int64
    /// How many events are kept for each asset.
    package static let kept = 1000

    package init(kind: Kind, at: Timestamp, count: Int64) {
        (self.kind, self.at, self.count) = (kind, at, count)
    }
}

/// Keys handed out since they were entered last.
package struct Handouts: Sendable {
    package var count: Int64 = 0
    package var last: Timestamp

    package init(count: Int64 = 0, last: Timestamp) {
        self.count = count
        self.last = last
    }
}
