/// The right of one of several nodes to write to the store, as the catalog stores it. Pure: times are those of the
/// database.
///
/// One node has it at a time. The next owner gets a larger epoch; writes of an older epoch are refused.
package struct StoreLease: Sendable, Hashable {
    /// The node that has it; `nil` after it was released, and before the first node.
    package var owner: String?
    /// How often it has changed hands.
    package var epoch: Int64
    /// The end of the lease, unless it is renewed; `nil` without an owner.
    package var until: Timestamp?

    package init(owner: String? = nil, epoch: Int64 = 0, until: Timestamp? = nil) {
        (self.owner, self.epoch, self.until) = (owner, epoch, until)
    }

    /// The duration of a lease without renewal, in milliseconds.
    package static let life: Int64 = 10_000
    /// The time between two renewals, in milliseconds.
    package static let renewal: Int64 = 2_000

    /// Whether the lease has an owner and has not ended.
    package func isHeld(at now: Timestamp) -> Bool {
        guard owner != nil, let until else { return false }
        return now < until
    }

    /// The lease with a new owner; `nil` while it is held, even by the same node: a node that has lost track of its
    /// own lease does not know its promises.
    package func claimed(by node: String, at now: Timestamp) -> StoreLease? {
        guard !isHeld(at: now) else { return nil }
        return StoreLease(
            owner: node, epoch: epoch + 1, until: Timestamp(milliseconds: now.milliseconds + Self.life))
    }

    /// The lease with a later end; `nil` if the node has lost it. A lease that has ended is not renewed: another node
    /// may be about to take it.
    package func renewed(by owner: OwningNode, at now: Timestamp) -> StoreLease? {
        guard admits(owner), isHeld(at: now) else { return nil }
        var renewed = self
        renewed.until = Timestamp(milliseconds: now.milliseconds + Self.life)
        return renewed
    }

    /// The lease without an owner; unchanged if the node has lost it.
    package func released(by owner: OwningNode) -> StoreLease {
        admits(owner) ? StoreLease(epoch: epoch) : self
    }

    /// Whether writes of a node are accepted: until another node has taken over, even if the lease has ended.
    package func admits(_ writer: OwningNode) -> Bool { owner == writer.node && epoch == writer.epoch }
}

/// A node that owns the store, or did.
package struct OwningNode: Sendable, Hashable {
    /// The node's name, which no other process ever has.
    package var node: String
    package var epoch: Int64

    package init(node: String, epoch: Int64) { (self.node, self.epoch) = (node, epoch) }
}

/// The time for which a node may act as the owner without an answer from the database, by its own monotonic clock.
/// Pure.
///
/// It ends earlier than the lease, so that an isolated node stops before another one begins, even if the speeds of
/// their clocks differ by a quarter.
package struct StoreFence: Sendable, Hashable {
    /// Milliseconds from the moment when a renewal is sent until the node stops.
    package static let reach: Int64 = 7_000

    /// The moment when the node stops.
    package private(set) var end: Int64

    /// - Parameter asked: the moment before the lease was asked for.
    package init(asked: Int64) { end = asked + Self.reach }

    /// Takes note of a renewal that was granted.
    package mutating func renewed(asked: Int64) { end = max(end, asked + Self.reach) }

    /// Whether the node may act.
    package func isOpen(at now: Int64) -> Bool { now < end }
}
