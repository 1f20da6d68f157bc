internal import Locking

extension WorkPool {
    /// Threads for queries and file operations. Threads that serve media, and Swift's own pool, are separate.
    static let queries = WorkPool(threads: 32)
}
