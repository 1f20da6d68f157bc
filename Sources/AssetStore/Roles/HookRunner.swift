internal import Crypto
internal import FoundationEssentials
internal import Locking
internal import Logging
internal import Transfers

/// Calls the hooks of the settings for events. Each hook gets each event at least once, in order, also after a crash;
/// a call that fails is tried three times, then skipped. Each hook has a cursor of its own in the event log, so that
/// a slow or dead hook does not delay the others.
final class HookRunner: Sendable {
    private let hooks: [EngineSettings.Hook]
    private let catalog: Catalog
    private let loop: TransferLoop
    private let log: Logger
    private let pause: @Sendable (Double) async throws -> Void
    /// For each hook, by its index, the last event that needs no call any more: the hook was called for it, or does
    /// not want it. Empty before `run`.
    private let told: Lock<[Int: Int64]> = Lock([:])

    static let tries = 3
    /// Seconds until the log is read again after the log or a cursor could not be read or written.
    static let rest = 5.0

    init(
        hooks: [EngineSettings.Hook], catalog: Catalog, loop: TransferLoop, log: Logger,
        pause: @escaping @Sendable (Double) async throws -> Void
    ) {
        (self.hooks, self.catalog, self.loop, self.log, self.pause) = (hooks, catalog, loop, log, pause)
    }

    /// Writes a cursor for each hook that has none, and deletes the cursors of former hooks. A hook that is new in
    /// the settings begins after the newest event, even if earlier settings had it.
    func begin() throws(StoreError) {
        let known = try catalog.events.cursors(named: Self.prefix)
        let names = hooks.map(Self.name)
        try catalog.events.forgetCursors(known.keys.filter { !names.contains($0) })
        // A store of an older version has one cursor for all hooks, and may have none for each.
        let shared = try catalog.events.cursor(Self.shared)
        let newest = try catalog.events.lastEvent()
        for name in names {
            let own = known[name] ?? (known.isEmpty ? shared : nil) ?? newest
            let start = max(own, shared ?? 0)
            if known[name] != start { try catalog.events.setCursor(name, start) }
        }
        if shared != nil { try catalog.events.forgetCursors([Self.shared]) }
    }

    /// The name of the one cursor that older versions had for all hooks.
    private static let shared = "hooks"
    /// The prefix of a hook's cursor name. A digest of the hook's settings follows it.
    private static let prefix = "hook "

    private static func name(of hook: EngineSettings.Hook) -> String {
        let text = (try? JSONText.encode(hook)) ?? ""
        let digest = SHA256.hash(data: Array(text.utf8)).prefix(16)
        return prefix + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Whether all hooks were called for an event and all events before it.
    func hasTold(_ event: Int64) -> Bool {
        told.withLock { told in hooks.indices.allSatisfy { told[$0] ?? 0 >= event } }
    }

    /// Tells the hooks until the store is closed, each from its place in the log on.
    func run() async {
        await withDiscardingTaskGroup { group in
            for index in hooks.indices { group.addTask { await self.run(index) } }
        }
    }

    /// Calls a hook for its events. While the catalog can't be read or written, for example on a full disk, it waits,
    /// and then continues with the same event.
    private func run(_ index: Int) async {
        var last: Int64?
        var isResting = false
        while !Task.isCancelled {
            do throws(StoreError) {
                if isResting, let last { try note(last, index) }
                isResting = false
                try await follow(&last, index)
                return
            } catch {
                if Task.isCancelled { return }
                if !isResting { log.warning("hooks wait", metadata: ["error": "\(error.message)"]) }
                isResting = true
                guard (try? await pause(Self.rest)) != nil else { return }
            }
        }
    }

    /// Writes the hook's cursor again after a failure. It fails while later events can't be read.
    private func note(_ last: Int64, _ index: Int) throws(StoreError) {
        _ = try catalog.events.all(after: last, limit: AssetUpdates.pageSize)
        try catalog.events.setCursor(Self.name(of: hooks[index]), last)
    }

    /// - Parameter last: the last event that was told; `nil` takes the noted one.
    private func follow(_ last: inout Int64?, _ index: Int) async throws(StoreError) {
        let name = Self.name(of: hooks[index])
        let noted = try catalog.events.cursor(name)
        let start = last ?? noted ?? 0
        last = start
        told.withLock { $0[index] = start }
        var updates = AssetUpdates(catalog: catalog, since: start).makeAsyncIterator()
        while let update = try await updates.next() {
            guard case .event(let event) = update else { continue }
            let concerns = hooks[index].concerns(event)
            if concerns { await tell(hooks[index], event) }
            if Task.isCancelled { return }
            last = event.id
            // After a restart, events that do not concern the hook are passed over again.
            if concerns { try catalog.events.setCursor(name, event.id) }
            told.withLock { $0[index] = event.id }
        }
    }

    private func tell(_ hook: EngineSettings.Hook, _ event: AssetEvent) async {
        guard let document = try? Array(JSONText.encode(EventDocument(event)).utf8) else { return }
        let variables = [
            "OFFLINE_SERVER_TOKEN": event.token.description, "OFFLINE_SERVER_EVENT": event.kind.rawValue,
            "OFFLINE_SERVER_STATE": event.state?.rawValue ?? "",
        ]
        for attempt in 1...Self.tries {
            do throws(StoreError) {
                _ = try await hook.service.ask(document, environment: variables, loop: loop)
                return
            } catch {
                log.warning("a hook failed", metadata: ["error": "\(error.message)"])
                guard attempt < Self.tries, (try? await pause(Double(attempt))) != nil else { return }
            }
        }
    }
}

/// An event as services get it.
private struct EventDocument: Encodable {
    var id: Int64
    var type: String
    var at: String
    var token: String
    var from: String?
    var state: String?
    var reason: String?
    var error: String?

    init(_ event: AssetEvent) {
        id = event.id
        type = event.kind.rawValue
        at = event.at.rfc3339
        token = event.token.description
        from = event.from?.rawValue
        state = event.state?.rawValue
        reason = event.reason
        error = event.failure?.message
    }
}
