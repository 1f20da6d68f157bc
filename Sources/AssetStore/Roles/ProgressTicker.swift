internal import Locking

/// Reports the progress and trouble of downloads to followers of the store, if there are any: four times a second,
/// and only for assets that have changed.
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

    /// Stops ticking.
    func stop() { task.withLock(\.self)?.cancel() }

    private func run() async {
        var last: [AssetToken: AssetProgress] = [:]
        var news = ActivityNews()
        while (try? await Task.sleep(for: Self.interval)) != nil {
            guard !catalog.hub.isEmpty else {
                // Without followers the last state is forgotten, so that the next follower gets the whole state.
                (news, last) = (ActivityNews(), [:])
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
