internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// A store's updates as Server-Sent Events (HTML Standard, section 9.2): first the events after the last one that the
/// client knows, then new ones as they happen. While a client does not read, no updates are read from the store for
/// it.
final class EventStream: BodySource {
    private struct State {
        var pending: [UInt8] = Array("retry: 1000\n\n".utf8)
        var hasEnded = false
        var hasWaited = false
        var wake: (@Sendable () -> Void)?
        var pump: Task<Void, Never>?
        var drained: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())
    /// The time without events after which a heartbeat is sent.
    static let heartbeat = Duration.seconds(15)
    static let bufferLimit = 256 << 10

    /// Begins to follow `updates`.
    init(_ updates: AssetUpdates) {
        let pump = Task(executorPreference: WorkThreads.housekeeping) { [weak self] in
            do {
                for try await update in updates {
                    guard let self, await self.append(EventMessage(update).bytes) else { return }
                }
            } catch {}
            self?.end()
        }
        state.withLock { $0.pump = pump }
    }

    /// Adds bytes and returns when there is room for more; false when the client is gone.
    private func append(_ bytes: [UInt8]) async -> Bool {
        let (wake, isFull) = state.withLock { state in
            state.pending += bytes
            defer { state.wake = nil }
            return (state.wake, state.pending.count > Self.bufferLimit)
        }
        wake?()
        if isFull { await untilDrained() }
        return !state.withLock(\.hasEnded)
    }

    private func untilDrained() async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                if state.hasEnded || state.pending.count <= Self.bufferLimit { return true }
                state.drained = continuation
                return false
            }
            if isNow { continuation.resume() }
        }
    }

    private func end() {
        let (wake, drained) = state.withLock { state in
            state.hasEnded = true
            defer { (state.wake, state.drained) = (nil, nil) }
            return (state.wake, state.drained)
        }
        drained?.resume()
        wake?()
    }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        let room = writer.remaining
        let (bytes, hasEnded, drained) = state.withLock { state in
            if state.pending.isEmpty, state.hasWaited, !state.hasEnded { state.pending = Array(":\n\n".utf8) }
            let bytes = Array(state.pending.prefix(room))
            state.pending.removeFirst(bytes.count)
            state.hasWaited = bytes.isEmpty
            state.wake = bytes.isEmpty ? wake : nil
            defer { state.drained = nil }
            return (bytes, state.hasEnded, state.drained)
        }
        drained?.resume()
        guard bytes.isEmpty else {
            writer.append(bytes)
            return .bytes
        }
        return hasEnded ? .end : .wait(limit: Self.heartbeat, then: .readAgain)
    }

    func cancelled() {
        state.withLock(\.pump)?.cancel()
        end()
    }
}

/// One update as a message of an event stream.
struct EventMessage {
    let update: AssetUpdate

    init(_ update: AssetUpdate) { self.update = update }

    var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        switch update {
        case .event(let event):
            "id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: \(EventDocument.json(event).text)\n\n"
        case .progress(let progress): "event: progress\ndata: \(EventDocument.json(progress).text)\n\n"
        case .activity(let token, let activity):
            "event: activity\ndata: \(EventDocument.json(token, activity).text)\n\n"
        case .gap: "event: gap\ndata: {}\n\n"
        }
    }
}

extension APIResponder {
    /// Sends the events after the one in Last-Event-ID, which a browser sends after it has lost its connection, or
    /// else after `since`.
    func events(_ call: APICall) async throws(StoreError) -> Response {
        let text = call.request.header(.lastEventID) ?? call.query["since"]
        let since = text.flatMap { $0.isDigits ? Int64($0) : nil }
        guard text == nil || since != nil else {
            return Problem.since.response
        }
        return Response(
            status: .ok, headers: [.contentType: MediaType.events, .cacheControl: "no-store"],
            body: .stream(length: nil, EventStream(store.updates(since: since))))
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .referer
}
