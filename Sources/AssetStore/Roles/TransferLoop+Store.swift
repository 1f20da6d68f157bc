internal import Transfers

/// The product's name and version for origins.
enum Product {
    static let version = "0.1.0"
}

extension TransferLoop {
    /// A loop that asks origins as stores do.
    static func ofStore(transfersPerHost: Int = 16) throws(StoreError) -> TransferLoop {
        var configuration = TransferLoopConfiguration()
        configuration.userAgent = "offline-server/\(Product.version)"
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
    /// Tells of each try that failed, then waits.
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
