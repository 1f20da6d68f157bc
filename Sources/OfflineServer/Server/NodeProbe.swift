internal import ASCII
package import AssetStore
internal import Crypto
internal import Forwarding
internal import HTTPDaemon
internal import HTTPTypes

/// The name of a node and the secret of its store, by which it proves to other nodes that it is the one they mean.
package struct NodeIdentity: Sendable {
    private let id: String
    private let token: String

    /// - Parameters:
    ///   - id: the name of this run of the program.
    ///   - token: the API token of the store.
    package init(id: String, token: String) { (self.id, self.token) = (id, token) }

    /// The proof for a question of another node. It tells nothing of the token.
    func proof(for question: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Array("offline-server node-id \(token) \(id) \(question)".utf8)))
    }

    /// The response to a request for `/healthz` in which another node asks for the proof; `nil` for other requests.
    func response(to request: Request) -> Response? {
        guard request.path == "/healthz", let question = request.header(.offlineServerNode) else {
            return nil
        }
        var response = Response(text: "ok\n")
        response.headers[.offlineServerNode] = proof(for: question)
        return response
    }
}

/// Checks that each node answers at its URL.
package final class NodeProbe: Sendable {
    /// The way in which a URL is answered.
    package enum Reach: Sendable, Equatable {
        /// By its node.
        case reached
        /// Not at all.
        case unreachable
        /// By another node, or another program.
        case stranger
    }

    private let token: String
    private let inquiry: ServerInquiry

    /// - Parameter token: the API token of the store.
    /// - Throws: `ForwardingError` if there is no memory or thread.
    package init(token: String) throws { (self.token, inquiry) = (token, try ServerInquiry()) }

    /// Sends a request to the URL of a node, and checks the proof in the answer.
    package func reach(of node: NodeRecord) async -> Reach {
        var generator = SystemRandomNumberGenerator()
        let question = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let answer = await inquiry.fields(
            of: "\(node.url)/healthz", sending: [.offlineServerNode: question])
        guard let answer else { return .unreachable }
        let proof = NodeIdentity(id: node.id, token: token).proof(for: question)
        return answer[.offlineServerNode] == proof ? .reached : .stranger
    }

    package func stop() async { await inquiry.stop() }

    /// The sentence about a node whose URL is not answered by it; `nil` if it is.
    package static func fault(_ reach: Reach, of node: NodeRecord) -> String? {
        switch reach {
        case .reached: nil
        case .unreachable:
            "this machine can't reach the node at \(node.url): check the --node-url of that node, the firewall, and its --listen, because a node that listens on 127.0.0.1 can be reached on its own machine only"
        case .stranger:
            "\(node.url) is the --node-url of a node, and another node or program answers there: start that node with the URL at which it is reached itself"
        }
    }
}
