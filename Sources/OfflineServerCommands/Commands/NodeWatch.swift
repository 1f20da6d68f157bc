internal import AssetStore
internal import Locking
internal import Logging
internal import OfflineServer

/// Watches whether a node reaches the other nodes at their URLs, and warns of each one that it does not reach.
struct NodeWatch: Sendable {
    let node: StoreNode
    let probe: NodeProbe
    let log: Logger
    private static let threads = WorkPool(threads: 1)
    /// Longer than a dead node counts as alive, so that no node is warned of which has just died.
    private static let interval = Duration.seconds(12)

    /// Runs until the task is cancelled.
    func run() async {
        var (last, told) = ([String: NodeProbe.Reach](), Set<String>())
        try? await Task.sleep(for: .seconds(1))
        while !Task.isCancelled {
            // While the database is away, the node has other worries.
            if let others = try? await Self.threads.run({ [node] in try node.others() }) {
                var now: [String: NodeProbe.Reach] = [:]
                for other in others { now[other.id] = await probe.reach(of: other) }
                for other in others {
                    guard let reach = now[other.id], let fault = NodeProbe.fault(reach, of: other) else {
                        told.remove(other.id)
                        continue
                    }
                    if last[other.id] == reach, told.insert(other.id).inserted { log.warning("\(fault)") }
                }
                last = now
            }
            try? await Task.sleep(for: Self.interval)
        }
        await probe.stop()
    }
}
