/// Downloads that run, and turn out not to fit, or to have lost the way to their origin.
extension DownloadEngine {
    /// Ends what is known by now not to fit beside the others, the newest and least wanted first. Sizes become known as
    /// segments are stored; what is unknown ends nothing.
    func putOffWithoutRoom() throws(StoreError) {
        let tokens = running.filter { !$0.value.isFallback && waiting[$0.key] == nil }.map(\.key)
        guard !tokens.isEmpty else { return }
        let needs = try context.catalog.assets.missingBytes(ofEach: tokens).filter { $0.value > 0 }
        guard !needs.isEmpty, try !context.storage.makesRoom(for: needs.values.reduce(0, +)) else { return }
        var left = try context.storage.room() ?? 0
        for token in try inOrder(Array(needs.keys)) {
            let need = needs[token] ?? 0
            if need <= left {
                left -= need
            } else {
                waiting[token] = .disk
                running[token]?.task.cancel()
            }
        }
    }

    /// Those of the highest priority first, then the oldest, as in the queue.
    private func inOrder(_ tokens: [AssetToken]) throws(StoreError) -> [AssetToken] {
        var turns: [QueueTurn] = []
        for token in tokens {
            let priority = try context.catalog.assets.asset(token)?.priority ?? 0
            turns.append(QueueTurn(token: token, priority: priority, isUnresolved: false))
        }
        return turns.sorted(by: <).map(\.token)
    }

    /// Ends what runs without a way to its origin: it waits for the network.
    func putOffCutOff() {
        for (token, download) in running
        where !download.isFallback && waiting[token] == nil && isCutOff(token) {
            waiting[token] = .network
            download.task.cancel()
        }
        for (token, resolution) in resolving where waiting[token] == nil && isCutOff(token) {
            waiting[token] = .network
            resolution.task.cancel()
        }
    }

    private func isCutOff(_ token: AssetToken) -> Bool {
        guard let url = ((try? context.catalog.assets.asset(token)) ?? nil)?.sourceURL, url.hasPrefix("http")
        else {
            return false
        }
        return !context.conditions.isOnline(url)
    }

    /// Looks at everything at once: the machine has another way to the network, or none.
    package func networkChanged() {
        guard !isStopping else { return }
        look()
        watch()
    }
}
