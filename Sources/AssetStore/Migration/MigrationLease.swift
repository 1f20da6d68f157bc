internal import Foundation
internal import Locking

/// The lease of a shared store that is being moved. While it is held, no node can become active.
final class MigrationLease: Sendable {
    let ownership: StoreOwnership
    private let node: StoreNode
    private let isEnded = Lock(false)
    private let ending = Condition()
    /// The URL under which a migration claims the store. Nothing is served there (RFC 6761 reserves `.invalid`).
    static let url = "http://migration.invalid"

    /// Claims the store, and renews the lease until `end`.
    ///
    /// If a migration was killed just before, the call waits until the lease of that migration ends.
    ///
    /// - Throws: `storeActive` if a node is active.
    static func claim(
        _ address: PostgresAddress, tell: @Sendable (String) -> Void
    ) throws(StoreError) -> MigrationLease {
        let node = StoreNode(address, at: url, isMoving: true)
        try node.prepare()
        let end = MonotonicTime.now + .seconds(13)
        var isTold = false
        do throws(StoreError) {
            while true {
                let active: NodeRecord?
                switch try node.look() {
                case .own(let ownership): return MigrationLease(ownership, node)
                case .other(let record): active = record
                }
                guard active == nil || active?.url == url, MonotonicTime.now < end else {
                    throw StoreError(.storeActive(active?.url ?? url))
                }
                if !isTold { tell("waiting until the lease of an earlier migration ends") }
                isTold = true
                Thread.sleep(forTimeInterval: 0.5)
            }
        } catch {
            try? node.leave(nil)
            throw error
        }
    }

    private init(_ ownership: StoreOwnership, _ node: StoreNode) {
        (self.ownership, self.node) = (ownership, node)
        Thread.detachNewThread { self.renew() }
    }

    /// Renews the lease every two seconds. When it can't be renewed, the catalog refuses all calls by itself.
    private func renew() {
        while true {
            let next = MonotonicTime.now + .seconds(2)
            isEnded.wait(on: ending) { $0 ? nil : next }
            guard !isEnded.withLock(\.self) else { return }
            _ = try? node.renew(ownership)
        }
    }

    /// Stops renewing the lease, and releases the store.
    func end() {
        isEnded.withLock { $0 = true }
        ending.signal()
        try? node.leave(ownership)
    }
}
