internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Answers `/metrics` in the text format of Prometheus.
struct MetricsResponder: Sendable {
    let store: OfflineStore

    func answer(_ request: Request) -> Answer {
        .later(deadline: .seconds(30)) { _ in
            do throws(StoreError) {
                return Self.response(MetricsDocument(try await store.housekeeper.figures()))
            } catch {
                return error.problem().response
            }
        }
    }

    static func response(_ document: MetricsDocument) -> Response {
        var response = Response(text: document.text)
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }
}
