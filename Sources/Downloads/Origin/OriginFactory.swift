package import Transfers

/// Makes ways to origins as an engine uses them: with its pauses, and not while a host is left alone.
package struct OriginFactory: Sendable {
    package let loop: TransferLoop
    /// Hosts that are left alone for a while.
    package let cooldowns: HostCooldowns
    /// Waits before something is tried again.
    package let pause: RetryPause
    private let board: ActivityBoard

    package init(loop: TransferLoop, cooldowns: HostCooldowns, pause: RetryPause, board: ActivityBoard) {
        (self.loop, self.cooldowns, self.pause, self.board) = (loop, cooldowns, pause, board)
    }

    /// A way to the origin of a stream.
    ///
    /// - Parameters:
    ///   - asset: the asset on which is worked by that; others are told of its failures.
    ///   - pause: waits between tries, if otherwise than for `asset`.
    package func origin(
        _ access: OriginAccess, of stream: String, rateGroup: String? = nil,
        tries: Int = Origin.usualTries, asset: AssetToken? = nil, pause: RetryPause? = nil
    ) throws(StoreError) -> Origin {
        try Origin(
            loop: loop, access: access, stream: stream, rateGroup: rateGroup, tries: tries,
            pause: pause ?? self.pause(for: asset), cooldowns: cooldowns)
    }

    /// Waits before something is tried again, told of as work on an asset.
    package func pause(for asset: AssetToken?) -> RetryPause {
        asset.map { pause.told(to: board, of: $0) } ?? pause
    }
}
