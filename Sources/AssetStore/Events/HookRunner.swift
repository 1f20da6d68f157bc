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
    /// Seconds until the log is read again after it could not be, or what was told could not be noted.
    static let rest = 5.0

    /// The last event that was told; the first time, nothing of what was before is.
    func beginning() throws(StoreError) -> Int64 {
        if let known = try catalog.cursor(Self.cursor) { return known }
        let last = try catalog.lastEvent()
        try catalog.setCursor(Self.cursor, last)
        return last
    }

    /// Tells what comes after an event, until the store is closed. While the catalog can't be read or written, on a full
    /// disk, say, it rests, and then goes on where it was.
    func run(from start: Int64) async {
        var last = start
        var isResting = false
        while !Task.isCancelled {
            do throws(StoreError) {
                if isResting { try note(last) }
                isResting = false
                try await follow(&last)
                return
            } catch {
                if Task.isCancelled { return }
                if !isResting { log.warning("hooks wait", metadata: ["error": "\(error.message)"]) }
                isResting = true
                guard (try? await pause(Self.rest)) != nil else { return }
            }
        }
    }

    /// Notes the last event that was told, if what comes after it can be read, too.
    private func note(_ last: Int64) throws(StoreError) {
        _ = try catalog.events(after: last, limit: AssetUpdates.pageSize)
        try catalog.setCursor(Self.cursor, last)
    }

    /// - Parameter last: the last event that was told.
    private func follow(_ last: inout Int64) async throws(StoreError) {
        var updates = AssetUpdates(catalog: catalog, since: last).makeAsyncIterator()
        while let update = try await updates.next() {
            guard case .event(let event) = update else { continue }
            for hook in hooks where hook.concerns(event) { await tell(hook, event) }
            if Task.isCancelled { return }
            last = event.id
            try catalog.setCursor(Self.cursor, last)
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
