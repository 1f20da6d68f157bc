package import AssetStore
internal import HTTPDaemon
internal import Locking

/// The socket of a server. Until the store is open, all answers are 503. A node that stands by passes requests on to
/// the active one, or answers 503 if there is none.
package final class ServerListener: Sendable {
    /// The address as text, without a slash at the end.
    package let address: String
    package var port: UInt16 { daemon.port }
    let daemon: HTTPDaemon
    private let responder = LateRouter()
    private let grace: Duration

    /// Listens from now on.
    package init(
        _ configuration: PlaybackServer.Configuration, policy: EnginePolicy
    ) throws(PlaybackServerError) {
        grace = configuration.grace
        daemon = try PlaybackServer.listen(configuration, policy: policy, responder: responder)
        address = "http://\(configuration.address.urlHost):\(daemon.port)"
    }

    /// Sets the reason for which this server does not serve the store.
    package func wait(_ standing: NodeStanding) {
        responder.state.withLock { $0.standing = standing }
    }

    /// Passes requests on to the active node while this one stands by; `nil` ends that.
    package func forward(through forwarder: NodeForwarder?) {
        responder.state.withLock { $0.forwarder = forwarder }
    }

    /// Proves to other nodes that this is the node they mean.
    package func identify(_ identity: NodeIdentity) { responder.state.withLock { $0.identity = identity } }

    /// Begins to answer requests with a router.
    ///
    /// - Parameter isAllowed: whether the router may answer. The closure is called for each request.
    func begin(_ router: Router, _ isAllowed: @escaping @Sendable () -> Bool) {
        responder.state.withLock { $0.router = (router, isAllowed) }
    }

    /// Ends the use of the router: new requests get only the standing. Responses that have begun go on.
    package func end() { responder.state.withLock { $0.router = nil } }

    package func stop() async { await daemon.stop(grace: grace) }
}

/// The responder of the socket. It passes requests to the router once the store is open and the port, on which the
/// access policy depends, is known.
private final class LateRouter: HTTPResponder {
    struct State {
        var router: (router: Router, isAllowed: @Sendable () -> Bool)?
        var standing = NodeStanding.starting
        var forwarder: NodeForwarder?
        var identity: NodeIdentity?
    }

    let state = Lock(State())

    func respond(to request: Request) -> Answer {
        let (router, standing, forwarder, identity) = state.withLock {
            ($0.router, $0.standing, $0.forwarder, $0.identity)
        }
        if let proof = identity?.response(to: request) { return .response(proof) }
        guard let router else {
            if let own = standing.ownResponse(to: request.path, forwarder) {
                return .response(forwarder?.refusal(of: request) ?? own)
            }
            return forwarder?.answer(request)
                ?? .response(standing.problem.waitingResponse(to: request))
        }
        guard router.isAllowed() else {
            let lost = NodeStanding.lost
            return .response(
                lost.ownResponse(to: request.path, nil) ?? lost.problem.waitingResponse(to: request))
        }
        return router.router.respond(to: request)
    }

    func refuse(_ refusal: Refusal, of request: Request?) -> Response {
        state.withLock(\.router)?.router.refuse(refusal, of: request) ?? Response(problem: refusal)
    }
}
