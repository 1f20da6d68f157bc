internal import Dispatch

/// Runs what blocks (queries, file operations) apart from the threads that serve and from Swift's own pool.
enum Blocking {
    private static let queue = DispatchQueue(label: "offline-server.blocking", attributes: .concurrent)

    static func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
