/// Something that happened to an asset, as the event log keeps it: written in the transaction that made it so.
public struct AssetEvent: Sendable, Equatable {
    /// Its place in the log: later events have higher ones. The log of a store starts at 1 and never starts over.
    public var id: Int64
    /// The time of the event.
    package var at: Timestamp
    /// The asset; it may be gone.
    public var token: AssetToken
    /// The kind of event.
    public var kind: Kind
    /// The state before; `nil` where the kind has none.
    public var from: AssetState?
    /// The state it is in now.
    public var state: AssetState?
    /// Why.
    public var reason: String?
    /// The failure that caused it.
    public var failure: AssetFailure?

    package init(
        id: Int64, at: Timestamp, token: AssetToken, kind: Kind, from: AssetState? = nil,
        state: AssetState? = nil, reason: String? = nil, failure: AssetFailure? = nil
    ) {
        self.id = id
        self.at = at
        self.token = token
        self.kind = kind
        self.from = from
        self.state = state
        self.reason = reason
        self.failure = failure
    }

    /// The kinds of events.
    public enum Kind: String, Sendable, CaseIterable {
        /// The asset was entered.
        case added
        /// Its transfer came into another state, or waits for another reason.
        case state
        /// It is gone.
        case removed
        /// Something else that is served of it has changed: its renditions, its bytes, its name.
        case changed
        /// Its own origin failed for a part, which came from another place of the stream; the reason is its host.
        case failover
        /// Files of it were deleted or changed behind the store's back.
        case damaged
        /// Its health is another one now; the reason is its level.
        case health
    }
}
