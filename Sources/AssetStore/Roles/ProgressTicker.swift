internal import Locking

/// Tells those who follow a store how far its downloads are, and which of them have trouble, while somebody follows:
/// four times a second, and only of those that have come further, or fare otherwise than before.
final class ProgressTicker: Sendable {
    private let catalog: Catalog
    private let engine: DownloadEngine
    private let task = Lock<Task<Void, Never>?>(nil)
    static let interval = Duration.milliseconds(250)

    init(catalog: Catalog, engine: DownloadEngine) {
        self.catalog = catalog
        self.engine = engine
    }

    /// Starts ticking, unless it does already.
    func start() {
        task.withLock { task in
            task = task ?? Task(executorPreference: WorkThreads.housekeeping) { await self.run() }
        }
    }

    /// Ends it.
    func stop() { task.withLock(\.self)?.cancel() }

    private func run() async {
        var last: [AssetToken: AssetProgress] = [:]
        var news = ActivityNews()
        while (try? await Task.sleep(for: Self.interval)) != nil {
            guard !catalog.hub.isEmpty else {
                // Who comes next is told how it is then.
                news = ActivityNews()
                continue
            }
            let changes = news.changes(await engine.activity.activities, now: SteadyClock.seconds)
            catalog.hub.add(changes)
            let progress = await current()
            let further = progress.filter { last[$0.token] != $0 }
            last = Dictionary(uniqueKeysWithValues: progress.map { ($0.token, $0) })
            if !further.isEmpty || !changes.isEmpty { catalog.hub.signal(further) }
        }
    }

    private func current() async -> [AssetProgress] {
        let speeds = await engine.activity.speeds
        guard !speeds.isEmpty, let rows = try? catalog.renditions.all(of: Array(speeds.keys)) else {
            return []
        }
        return speeds.keys.sorted().map { token in
            AssetProgress(
                token: token, renditions: (rows[token] ?? []).map(AssetRendition.init),
                speed: speeds[token] ?? nil)
        }
    }
}

extension AssetProgress {
    init(token: AssetToken, renditions: [AssetRendition], speed: Double?) {
        self.init(
            token: token, progress: renditions.progress, storedBytes: renditions.storedBytes,
            expectedBytes: renditions.expectedBytes, speed: speed)
    }
}
