import AssetStore
import Forwarding
import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("A node that does not serve the store")
struct NodeAnswerTests {
    @Test(
        "answers by itself to its state, with the token in front of the path or not",
        arguments: [
            ("/healthz", true), ("/t/x/healthz", true), ("/metrics", true), ("/t/x/metrics", true),
            ("/x/healthz", false), ("/t/x/healthz/", false), ("/t/x/", false), ("/healthzz", false),
            ("/readyz", false), ("/", false),
        ])
    func own(path: String, isOwn: Bool) {
        #expect((NodeStanding.lost.ownResponse(to: path, nil) != nil) == isOwn)
    }

    @Test("has no metrics while it is starting, and is alive")
    func starting() {
        #expect(NodeStanding.starting.ownResponse(to: "/metrics", nil) == nil)
        #expect(NodeStanding.starting.ownResponse(to: "/healthz", nil)?.bodyText == "ok\n")
        let metrics = NodeStanding.draining.ownResponse(to: "/metrics", nil)?.bodyText ?? ""
        #expect(metrics.contains("\noffline_server_node_active 0\n"))
        #expect(!metrics.contains("offline_server_assets"))
    }

    @Test("asks to come back in a second, or later where another node is active")
    func retry() {
        let table: [(standing: NodeStanding, seconds: String)] = [
            (.starting, "1"), (.standby(active: nil), "1"), (.standby(active: "http://b"), "5"),
            (.waiting("No catalog."), "5"), (.draining, "1"), (.lost, "1"),
        ]
        for (standing, seconds) in table {
            #expect(standing.problem.response.headers[.retryAfter] == seconds, "\(standing)")
        }
    }

    @Test("names the catalog if that can't be reached either, and otherwise the URL of the active node")
    func unreachable() throws {
        let request = try Request.admitted("/api/v1/assets")
        for error in [ForwardingError.unreachable, .broken] {
            let alone = NodeForwarder.problem(error, of: request, at: "http://b", trouble: nil)
            #expect(alone.response.bodyText.contains("http://b. Ask again"))
            #expect(alone.response.bodyText.contains("--node-url"))
            let both = NodeForwarder.problem(error, of: request, at: "http://b", trouble: "It is away.")
            #expect(both.response.bodyText.contains("at http://b, nor the catalog. It is away."))
            #expect(
                !both.response.bodyText.contains("--node-url") && both.response.status == .serviceUnavailable)
        }
        let change = try Request.admitted("/api/v1/assets", method: "POST")
        let broken = NodeForwarder.problem(.broken, of: change, at: "http://b", trouble: "It is away.")
        #expect(broken.response.status == .badGateway)
    }

    @Test("proves who it is at /healthz only, and only if it is asked")
    func identity() throws {
        let node = NodeIdentity(id: "a", token: "t")
        let asked = [("Offline-Server-Node", "q")]
        let response = try #require(node.response(to: try Request.admitted("/healthz", fields: asked)))
        #expect(response.headers[.offlineServerNode] == node.proof(for: "q"))
        let others = [try Request.admitted("/readyz", fields: asked), try Request.admitted("/healthz")]
        for request in others { #expect(node.response(to: request) == nil) }
        let strangers = [NodeIdentity(id: "b", token: "t"), NodeIdentity(id: "a", token: "u")]
        for other in strangers { #expect(other.proof(for: "q") != node.proof(for: "q")) }
    }

    @Test("differs from the active one in its metrics, which leave out what an absent catalog knows")
    func metrics() {
        var figures = StoreFigures()
        #expect(!MetricsDocument(figures).text.contains("offline_server_node_active"))
        figures.sharing = StoreFigures.Sharing()
        figures.sharing?.rest = 7000
        let whole = MetricsDocument(figures).text
        for line in ["node_active 1", "catalog_up 1", "lease_seconds 7.0", "nodes{role=\"active\"} 0"] {
            #expect(whole.contains("\noffline_server_\(line)\n"), "\(line)")
        }
        #expect(whole.contains("\noffline_server_stored_bytes 0\n"))
        figures.sharing?.hasCatalog = false
        let rest = MetricsDocument(figures).text
        for line in ["node_active 1", "catalog_up 0", "free_bytes 0"] {
            #expect(rest.contains("\noffline_server_\(line)\n"), "\(line)")
        }
        for name in ["nodes", "stored_bytes", "assets", "events_total"] {
            #expect(!rest.contains("# TYPE offline_server_\(name) "), "\(name)")
        }
    }
}
