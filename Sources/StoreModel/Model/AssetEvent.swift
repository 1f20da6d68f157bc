/// An event in the life of an asset. It is written to the event log in the same transaction as the change itself.
public struct AssetEvent: Sendable, Equatable {
    /// Its number in the log: later events have higher numbers. The numbers of a store start at 1 and never start over.
    public var id: Int64
    /// The time of the event.
    package var at: Timestamp
    /// The asset; it may be gone.
    public var token: AssetToken
    /// The kind of event.
    public var kind: Kind
    /// The state before; `nil` for kinds without one.
    public var from: AssetState?
    /// The state it is in now.
    public var state: AssetState?
    /// The reason, such as `network`; `nil` without one.
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
        /// The transfer has a new state, or waits for another reason.
        case state
        /// The asset was removed.
        case removed
        /// Its served resources have changed in another way: its renditions, its bytes, its name.
        case changed
        /// A segment came from another host of the stream after its own host failed; the reason names the other host.
        case failover
        /// Another program deleted or changed files of it.
        case damaged
        /// Its health has changed; the reason is the new level.
        case health
    }
}
