internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers `/metrics` in the text format of Prometheus.
///
/// If the database of a shared store does not answer in time, the answer has the metrics that need no catalog.
final class MetricsResponder: Sendable {
    private typealias Figures = Result<StoreFigures, StoreError>

    private let store: OfflineStore
    /// The query that runs now. Requests that come meanwhile wait for the same query.
    private let running = Lock<Task<Figures, Never>?>(nil)
    /// The longest wait for the catalog of a shared store. Prometheus waits for 10 s.
    private static let patience = Duration.seconds(2)
    /// Threads of its own: while the catalog does not answer, other requests may take all threads of the server.
    private static let threads = WorkPool(threads: 1)
    private static let queries = WorkPool(threads: 1)

    init(store: OfflineStore) { self.store = store }

    func answer(_ request: Request) -> Answer {
        .later(deadline: .seconds(30), on: Self.threads) { [self] _ in
            guard let known = store.housekeeper.figuresWithoutCatalog() else {
                return Self.response(await figures())
            }
            let figures = await figures(within: Self.patience)
            return Self.response(MetricsDocument((try? figures?.get()) ?? known))
        }
    }

    private static func response(_ figures: Figures) -> Response {
        switch figures {
        case .success(let figures): response(MetricsDocument(figures))
        case .failure(let error): error.problem().response
        }
    }

    static func response(_ document: MetricsDocument) -> Response {
        var response = Response(text: document.text)
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }

    private func figures() async -> Figures {
        do throws(StoreError) {
            return .success(try await store.housekeeper.figures())
        } catch {
            return .failure(error)
        }
    }

    /// The figures; `nil` if the catalog does not answer in time. The query goes on, because it can't be interrupted.
    private func figures(within time: Duration) async -> Figures? {
        let query = running.withLock { running in
            let query = running ?? Task(executorPreference: Self.queries) { await self.query() }
            running = query
            return query
        }
        return await withCheckedContinuation { continuation in
            let isOpen = Lock(true)
            let end: @Sendable (Figures?) -> Void = { figures in
                let isFirst = isOpen.withLock { isOpen in
                    defer { isOpen = false }
                    return isOpen
                }
                if isFirst { continuation.resume(returning: figures) }
            }
            Task { end(await query.value) }
            Task {
                try? await Task.sleep(for: time)
                end(nil)
            }
        }
    }

    private func query() async -> Figures {
        let figures = await figures()
        running.withLock { $0 = nil }
        return figures
    }
}
