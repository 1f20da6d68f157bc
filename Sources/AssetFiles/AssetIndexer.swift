package import AssetStore
internal import Locking
internal import SystemPackage

/// Indexes the samples of what is being downloaded, segment by segment, while the system has the bytes in memory. So the first
/// file that is made of an asset need not read all of it.
///
/// An index is entered once all segments of a rendition are there. Those that were stored before, or while no server ran, are
/// indexed when somebody wants a file.
package final class AssetIndexer: Sendable {
    private struct State {
        /// Renditions of which something was stored since they were looked at last, in order.
        var waiting: [IndexedPlace] = []
        /// The numbers of these segments.
        var numbers: [IndexedPlace: Set<Int>] = [:]
        var runs: [IndexedPlace: IndexRun] = [:]
        /// Renditions that are indexed, or can't be.
        var ended: Set<IndexedPlace> = []
        var isWorking = false
        var isStopped = false
    }

    private let store: OfflineStore
    private let state = Lock(State())
    private static let patience = Duration.seconds(3)
    private static let thread = WorkPool(threads: 1)
    /// Renditions that are remembered, and those that are indexed at the same time.
    private static let (mostEnded, mostRuns) = (10_000, 32)

    /// An indexer that works as long as the store stores segments, until it is stopped.
    package init(_ store: OfflineStore) {
        self.store = store
        store.onStored { [weak self] files in self?.take(files) }
    }

    /// Waits for a moment until all that is stored is indexed, and ends then: a command that downloads ends with its download.
    package func finish() async {
        let end = ContinuousClock.now + Self.patience
        while state.withLock({ $0.isWorking }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        stop()
    }

    /// Ends with the segment that is being read.
    package func stop() {
        store.onStored(nil)
        state.withLock { $0.isStopped = true }
    }

    private func take(_ files: [FilePath]) {
        let begins = state.withLock { state in
            for file in files {
                guard let place = IndexedPlace(file), !state.ended.contains(place) else { continue }
                if state.numbers[place] == nil { state.waiting.append(place) }
                state.numbers[place, default: []].formUnion(file.stem.flatMap { Int($0) }.map { [$0] } ?? [])
            }
            guard !state.waiting.isEmpty, !state.isWorking, !state.isStopped else { return false }
            state.isWorking = true
            return true
        }
        if begins { Task { await Self.thread.run { self.work() } } }
    }

    private func work() {
        while let (place, numbers, known) = next() {
            var run = known
            var isOver = true
            // What can't be indexed is told to who wants a file of it.
            if run == nil { run = (try? IndexRun(place, store)) ?? nil }
            if run != nil { isOver = (try? run?.advance(with: numbers) { isStopped }) ?? true }
            state.withLock { [run] state in
                state.runs[place] = isOver || state.runs.count >= Self.mostRuns ? nil : run
                if state.ended.count >= Self.mostEnded { state.ended = [] }
                if isOver { state.ended.insert(place) }
            }
        }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    /// The rendition that is looked at next, with what was made of it so far.
    private func next() -> (IndexedPlace, Set<Int>, IndexRun?)? {
        state.withLock { state in
            guard !state.isStopped, !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            let place = state.waiting.removeFirst()
            return (
                place, state.numbers.removeValue(forKey: place) ?? [], state.runs.removeValue(forKey: place)
            )
        }
    }
}

/// A rendition of an asset, by the folder in which its segments are.
struct IndexedPlace: Hashable, Sendable {
    let token: AssetToken
    let rendition: String

    init?(_ file: FilePath) {
        let folder = file.removingLastComponent()
        guard let rendition = folder.lastComponent?.string,
            let token = folder.removingLastComponent().lastComponent.flatMap({ AssetToken($0.string) })
        else { return nil }
        (self.token, self.rendition) = (token, rendition)
    }
}
