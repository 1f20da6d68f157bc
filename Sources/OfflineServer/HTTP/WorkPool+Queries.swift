internal import Locking

extension WorkPool {
    /// Threads for queries and file operations, apart from those that serve and from Swift's own pool.
    static let queries = WorkPool(threads: 32)
}
