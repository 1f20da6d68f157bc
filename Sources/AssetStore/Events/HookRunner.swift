internal import FoundationEssentials
internal import Logging
internal import Transfers

/// Tells the services that the settings name of what happens. Each event is told at least once, in order, also
/// after a crash; a service that fails is tried three times, then passed over.
struct HookRunner: Sendable {
    let hooks: [EngineSettings.Hook]
    let catalog: Catalog
    let loop: TransferLoop
    let log: Logger
    let pause: @Sendable (Double) async throws -> Void
    static let cursor = "hooks"
    static let tries = 3

    /// The last event that was told; the first time, nothing of what was before is.
    func beginning() throws(StoreError) -> Int64 {
        if let known = try catalog.cursor(Self.cursor) { return known }
        let last = try catalog.lastEvent()
        try catalog.setCursor(Self.cursor, last)
        return last
    }

    /// Tells what comes after an event, until the store is closed.
    func run(from start: Int64) async {
        do throws(StoreError) {
            var updates = AssetUpdates(catalog: catalog, since: start).makeAsyncIterator()
            while let update = try await updates.next() {
                guard case .event(let event) = update else { continue }
                for hook in hooks where hook.concerns(event) { await tell(hook, event) }
                if Task.isCancelled { return }
                try catalog.setCursor(Self.cursor, event.id)
            }
        } catch {
            log.warning("hooks have stopped", metadata: ["error": "\(error.message)"])
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
                _ = try await hook.service.ask(document, variables, loop)
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
