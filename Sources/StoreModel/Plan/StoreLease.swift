/// The right of one of several nodes to write to the store, as the catalog keeps it. Pure: times are those of the database.
///
/// One node has it at a time. Who takes it over gets a larger epoch, and nothing is written in an older one.
package struct StoreLease: Sendable, Hashable {
    /// The node that has it; `nil` when it was given back, and before the first one came.
    package var owner: String?
    /// How often it has changed hands.
    package var epoch: Int64
    /// The end of the owner's life, unless it is heard of again; `nil` when nobody knows the owner any more.
    package var until: Timestamp?

    package init(owner: String? = nil, epoch: Int64 = 0, until: Timestamp? = nil) {
        (self.owner, self.epoch, self.until) = (owner, epoch, until)
    }

    /// How long a node lives that is not heard of, in milliseconds.
    package static let life: Int64 = 10_000
    /// The time between two renewals, in milliseconds.
    package static let renewal: Int64 = 2_000

    /// Whether the owner lives.
    package func isHeld(at now: Timestamp) -> Bool {
        guard owner != nil, let until else { return false }
        return now < until
    }

    /// The lease with a new owner; `nil` while the owner lives, be it the same node: one that has lost track of its own lease does
    /// not know what it has promised.
    package func claimed(by node: String, at now: Timestamp) -> StoreLease? {
        guard !isHeld(at: now) else { return nil }
        return StoreLease(
            owner: node, epoch: epoch + 1, until: Timestamp(milliseconds: now.milliseconds + Self.life))
    }

    /// The lease with a longer life; `nil` when the node has lost it. What has ended is not renewed: another node may be about to
    /// take it over.
    package func renewed(by owner: OwningNode, at now: Timestamp) -> StoreLease? {
        guard admits(owner), isHeld(at: now) else { return nil }
        var renewed = self
        renewed.until = Timestamp(milliseconds: now.milliseconds + Self.life)
        return renewed
    }

    /// The lease without an owner; as it is when the node has lost it.
    package func released(by owner: OwningNode) -> StoreLease {
        admits(owner) ? StoreLease(epoch: epoch) : self
    }

    /// Whether what a node writes is taken. That is the case until another one has taken over, also when the lease has ended.
    package func admits(_ writer: OwningNode) -> Bool { owner == writer.node && epoch == writer.epoch }
}

/// A node that owns the store, or did.
package struct OwningNode: Sendable, Hashable {
    /// The node's name, which no other process ever has.
    package var node: String
    package var epoch: Int64

    package init(node: String, epoch: Int64) { (self.node, self.epoch) = (node, epoch) }
}

/// How long a node may act as the owner without a word from the database, by a clock of its own that nobody sets. Pure.
///
/// It ends earlier than the lease does, so that a node which hears nothing stops before another one begins, also when their
/// clocks differ in speed by a quarter.
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
