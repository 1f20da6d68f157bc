package import Transfers

/// Makes origins for an engine, with its pauses and cooldowns.
package struct OriginFactory: Sendable {
    package let loop: TransferLoop
    /// The cooldowns of hosts.
    package let cooldowns: HostCooldowns
    /// Waits before a retry.
    package let pause: RetryPause
    private let board: ActivityBoard

    package init(loop: TransferLoop, cooldowns: HostCooldowns, pause: RetryPause, board: ActivityBoard) {
        (self.loop, self.cooldowns, self.pause, self.board) = (loop, cooldowns, pause, board)
    }

    /// Makes the origin of a stream.
    ///
    /// - Parameters:
    ///   - asset: the asset whose activity shows the failures.
    ///   - pause: waits between tries, instead of the pause for `asset`.
    package func origin(
        _ access: OriginAccess, of stream: String, rateGroup: String? = nil,
        tries: Int = Origin.usualTries, asset: AssetToken? = nil, pause: RetryPause? = nil
    ) throws(StoreError) -> Origin {
        try Origin(
            loop: loop, access: access, stream: stream, rateGroup: rateGroup, tries: tries,
            pause: pause ?? self.pause(for: asset), cooldowns: cooldowns)
    }

    /// Waits before a retry, shown in the activity of an asset.
    package func pause(for asset: AssetToken?) -> RetryPause {
        asset.map { pause.told(to: board, of: $0) } ?? pause
    }
}
