internal import Crypto
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

    /// The last event that was told, and for each hook the last one that it is not told of: those that came before it was
    /// in the settings, whether or not it had been there once.
    func beginning() throws(StoreError) -> (last: Int64, floors: [Int64]) {
        let newest = try catalog.events.lastEvent()
        let known = try catalog.events.cursors(named: Self.floor)
        let names = hooks.map(Self.name)
        try catalog.events.forgetCursors(known.keys.filter { !names.contains($0) })
        guard !hooks.isEmpty else {
            if try catalog.events.cursor(Self.cursor) != nil {
                try catalog.events.forgetCursors([Self.cursor])
            }
            return (newest, [])
        }
        let last = try catalog.events.cursor(Self.cursor)
        // A store of an older version has told those that it has.
        let first = known.isEmpty ? last ?? newest : newest
        var floors: [Int64] = []
        for name in names {
            let floor = known[name] ?? first
            if known[name] == nil { try catalog.events.setCursor(name, floor) }
            floors.append(floor)
        }
        let start = last ?? newest
        if last == nil { try catalog.events.setCursor(Self.cursor, start) }
        return (start, floors)
    }

    /// The beginning of the names of hooks' cursors; a digest of the hook's settings follows.
    private static let floor = "hook "

    private static func name(of hook: EngineSettings.Hook) -> String {
        let text = (try? JSONText.encode(hook)) ?? ""
        let digest = SHA256.hash(data: Array(text.utf8)).prefix(16)
        return floor + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Tells what comes after an event, until the store is closed. While the catalog can't be read or written, on a full
    /// disk, say, it rests, and then goes on where it was.
    ///
    /// - Parameter floors: for each hook the last event that it is not told of.
    func run(from start: Int64, _ floors: [Int64]) async {
        var last = start
        var isResting = false
        while !Task.isCancelled {
            do throws(StoreError) {
                if isResting { try note(last) }
                isResting = false
                try await follow(&last, floors)
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
        _ = try catalog.events.all(after: last, limit: AssetUpdates.pageSize)
        try catalog.events.setCursor(Self.cursor, last)
    }

    /// - Parameter last: the last event that was told.
    private func follow(_ last: inout Int64, _ floors: [Int64]) async throws(StoreError) {
        var updates = AssetUpdates(catalog: catalog, since: last).makeAsyncIterator()
        while let update = try await updates.next() {
            guard case .event(let event) = update else { continue }
            for (hook, floor) in zip(hooks, floors) where event.id > floor && hook.concerns(event) {
                await tell(hook, event)
            }
            if Task.isCancelled { return }
            last = event.id
            try catalog.events.setCursor(Self.cursor, last)
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
