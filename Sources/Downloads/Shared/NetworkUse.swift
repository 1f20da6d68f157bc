/// The times and conditions under which the connection may be used, as the engine was told.
package struct NetworkUse: Sendable {
    /// The conditions under which a player's request may go to the origin of an asset that is not downloading.
    package let originFallback: OriginFallback
    /// Whether the connection is metered (paid by volume).
    package let isMetered: @Sendable () -> Bool
    /// Updates the answer of `isMetered`.
    package let look: @Sendable () async -> Void

    package init(
        originFallback: OriginFallback = .never, isMetered: @escaping @Sendable () -> Bool = { false },
        look: @escaping @Sendable () async -> Void = {}
    ) {
        (self.originFallback, self.isMetered, self.look) = (originFallback, isMetered, look)
    }

    /// Whether the origin of an asset that is not downloading may be asked for a player's unit.
    package var mayFallBack: Bool {
        switch originFallback {
        case .never: false
        case .unmetered: !isMetered()
        case .always: true
        }
    }
}
