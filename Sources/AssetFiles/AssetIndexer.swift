package import AssetStore
internal import Locking
internal import SystemPackage

/// Indexes the samples of arriving segments while the system still has their bytes in memory. So the first file that
/// is made of an asset need not read all of it.
///
/// An index is entered when all segments of a rendition are stored. Segments that were stored before, or while no
/// server ran, are indexed when a client requests a file.
package final class AssetIndexer: Sendable {
    private struct State {
        /// Renditions with newly stored segments, in order.
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
    /// The numbers of remembered renditions, and of renditions that are indexed at the same time.
    private static let (mostEnded, mostRuns) = (10_000, 32)

    /// Makes an indexer. It indexes the segments that the store stores, until it is stopped.
    package init(_ store: OfflineStore) {
        self.store = store
        store.onStored { [weak self] files in self?.take(files) }
    }

    /// Waits until all stored segments are indexed, for `patience` at most, and then ends. A command that downloads
    /// calls it at its end.
    package func finish() async {
        let end = ContinuousClock.now + Self.patience
        while state.withLock({ $0.isWorking }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        stop()
    }

    /// Stops the work after the current segment.
    package func stop() {
        store.onStored(nil)
        state.withLock { $0.isStopped = true }
    }

    private func take(_ files: [FilePath]) {
        let begins = state.withLock { state in
            for file in files {
                guard let place = IndexedPlace(file), !state.ended.contains(place) else { continue }
                if state.numbers[place] == nil { state.waiting.append(place) }
                let number = Int(file.name.prefix { $0 != "." })
                state.numbers[place, default: []].formUnion(number.map { [$0] } ?? [])
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
            let isOver: Bool
            do {
                if run == nil { run = try IndexRun(place, store) }
                isOver = try run?.advance(with: numbers) { isStopped } ?? true
            } catch AssetFileError.store {
                // A needed unit, such as the initialization section, is not stored yet. The next stored unit may be
                // this one.
                isOver = false
            } catch {
                // The error is reported when a client requests a file.
                isOver = true
            }
            state.withLock { [run] state in
                state.runs[place] = isOver || state.runs.count >= Self.mostRuns ? nil : run
                if state.ended.count >= Self.mostEnded { state.ended = [] }
                if isOver { state.ended.insert(place) }
            }
        }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    /// The next rendition, with its progress so far.
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

/// A rendition of an asset, by the folder of its segments.
struct IndexedPlace: Hashable, Sendable {
    let token: AssetToken
    let rendition: String

    init?(_ file: FilePath) {
        let names = file.string.split(separator: "/").suffix(3).map(String.init)
        guard names.count == 3, let token = AssetToken(names[0]) else { return nil }
        (self.token, rendition) = (token, names[1])
    }
}
