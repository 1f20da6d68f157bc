internal import APIDocuments
internal import HTTPDaemon
internal import HTTPTypes

/// The reason for which a server does not serve the store (yet).
package enum NodeStanding: Sendable, Equatable {
    /// The store is being opened.
    case starting
    /// Another node is active; its URL, if it is known.
    case standby(active: String?)
    /// The catalog can't be reached. The text is a sentence with the reason.
    case waiting(String)
    /// This node is releasing the store.
    case draining
    /// This node did not renew its lease in time: another node may own the store.
    case lost

    /// The response to `/healthz` and `/metrics`, which this node answers itself, and to `/readyz` if this node could
    /// not take over; `nil` for other paths.
    ///
    /// - Parameter path: the path with or without the token prefix.
    func ownResponse(to path: String, _ forwarder: NodeForwarder?) -> Response? {
        if Self.names(path, "/healthz") { return Response(text: "ok\n") }
        if Self.names(path, "/readyz"), let lack = forwarder?.lackOfRoom { return lack.response }
        // A server that is opening its store has no metrics yet.
        guard self != .starting, Self.names(path, "/metrics") else { return nil }
        return MetricsResponder.response(.ofWaitingNode(forwarder?.counted))
    }

    /// Whether a path is this one, with the token in front of it or not.
    private static func names(_ path: String, _ name: String) -> Bool {
        path == name || path.hasSuffix(name) && path.hasPrefix("/t/")
    }

    var problem: Problem {
        switch self {
        case .starting: Problem.starting
        case .standby(let url):
            Problem(
                status: .serviceUnavailable, type: "standby",
                detail: url.map { "This node is on standby; the node at \($0) is active, ask that one." }
                    ?? "This node is on standby; no node is active now, ask again in a moment.",
                more: [("active_node", JSONValue(url))], retryAfter: url == nil ? 1 : 5)
        case .waiting(let sentence):
            Problem(
                status: .serviceUnavailable, type: "standby", detail: sentence, retryAfter: 5)
        case .draining:
            Problem(
                status: .serviceUnavailable, type: "draining",
                detail: "This node gives the store back; another one takes over, ask again in a moment.",
                retryAfter: 1)
        case .lost:
            Problem(
                status: .serviceUnavailable, type: "standby",
                detail: "This node has lost the store, and another one may be active; ask again in a moment.",
                retryAfter: 1)
        }
    }
}
