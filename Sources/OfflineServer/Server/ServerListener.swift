package import AssetStore
internal import HTTPDaemon
internal import Locking

/// The socket of a server. Until the store is open, and on a node that waits for the store, all answers are 503.
package final class ServerListener: Sendable {
    /// The address as text, without a slash at the end.
    package let address: String
    package var port: UInt16 { daemon.port }
    let daemon: HTTPDaemon
    private let responder = LateRouter()

    /// Listens from now on.
    package init(
        _ configuration: PlaybackServer.Configuration, policy: EnginePolicy
    ) throws(PlaybackServerError) {
        daemon = try PlaybackServer.listen(configuration, policy: policy, responder: responder)
        address = "http://\(configuration.address.urlHost):\(daemon.port)"
    }

    /// Sets the reason for which nothing is served, and the node that serves.
    package func wait(_ standing: NodeStanding) {
        responder.state.withLock { $0.standing = standing }
    }

    /// Has a router answer.
    ///
    /// - Parameter isAllowed: whether it may; asked for each request.
    func begin(_ router: Router, _ isAllowed: @escaping @Sendable () -> Bool) {
        responder.state.withLock { $0.router = (router, isAllowed) }
    }

    /// Answers new requests with the standing only; responses that have begun go on.
    package func end() { responder.state.withLock { $0.router = nil } }

    package func stop() async { await daemon.stop() }
}

/// The responder until the store is open and the port is known, on which the access policy depends.
private final class LateRouter: HTTPResponder {
    struct State {
        var router: (router: Router, isAllowed: @Sendable () -> Bool)?
        var standing = NodeStanding.starting
    }

    let state = Lock(State())

    func respond(to request: Request) -> Answer {
        let (router, standing) = state.withLock { ($0.router, $0.standing) }
        guard let router else { return .response(standing.response(to: request.path)) }
        guard router.isAllowed() else {
            return .response(NodeStanding.lost.response(to: request.path))
        }
        return router.router.respond(to: request)
    }

    func refuse(_ refusal: Refusal, of request: Request?) -> Response {
        state.withLock(\.router)?.router.refuse(refusal, of: request) ?? Response(problem: refusal)
    }
}
