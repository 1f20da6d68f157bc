internal import Transfers

extension TransferLoop {
    /// Makes a transfer loop with the settings that stores use.
    static func ofStore(transfersPerHost: Int = 16) throws(StoreError) -> TransferLoop {
        var configuration = TransferLoopConfiguration()
        configuration.userAgent = "offline-server/\(Version.current)"
        configuration.maximumTransfersPerHost = transfersPerHost
        configuration.maximumTransfers = max(configuration.maximumTransfers, transfersPerHost)
        do throws(TransferError) {
            return try TransferLoop(configuration: configuration)
        } catch {
            throw StoreError(.transfer(TransferFailure(error)))
        }
    }
}

extension RetryPause {
    /// Calls `onRetry` after each failed try, then waits.
    static func telling(
        _ onRetry: @escaping @Sendable (RetryWait) -> Void,
        _ pause: @escaping @Sendable (Double) async throws -> Void
    ) -> RetryPause {
        RetryPause { wait in
            onRetry(wait)
            try await pause(wait.seconds)
        }
    }
}
