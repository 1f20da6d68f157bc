package import Locking

/// Threads for work that blocks on the catalog or on files. Each kind has its own, so that none waits for another.
package enum WorkThreads {
    /// The threads of downloads and recordings.
    package static let runs = WorkPool(threads: 16)
    /// The threads for the store's own work, which no caller waits for: tidying, renewals, hooks, notes of findings.
    package static let housekeeping = WorkPool(threads: 4)
}
