internal import APIDocuments
internal import ASCII
package import AssetStore
internal import Crypto
internal import Forwarding
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
package import SystemPackage

/// Answers requests of clients on a node on standby by passing them on to the active node. A segment that every client
/// may have is requested once for all clients, and kept on this node's disk.
///
/// A request that another node has passed on is never passed on again.
package final class NodeForwarder: Sendable {
    private let access: AccessPolicy
    private let gate: TokenGate
    private let requests: RequestForwarder
    /// The header fields of this node's own requests for segments.
    private let credentials: HTTPFields
    private let active = Lock<String?>(nil)
    /// The reason for which the catalog can't be reached; `nil` if it can.
    private let trouble = Lock<String?>(nil)
    private let folder: FilePath
    /// Bytes that must be free on the disk of the folder, so that this node can take over the store.
    private let leastRoom: UInt64
    /// The longest wait for the header section of an answer. The API may take two minutes to answer.
    private static let patience = Duration.seconds(150)

    /// - Parameters:
    ///   - token: the API token of the store.
    ///   - folder: the folder for kept segments. It is emptied.
    ///   - size: the largest number of bytes of all kept segments.
    ///   - bucket: has the store's media, and is read in place of the active node; `nil` to ask that node for all bytes.
    ///   - leastRoom: bytes that must be free on the disk of the folder.
    package init(
        _ configuration: PlaybackServer.Configuration, port: UInt16, token: String, folder: FilePath,
        size: UInt64, bucket: BucketReader? = nil, leastRoom: UInt64 = 32 << 20
    ) throws {
        (self.folder, self.leastRoom) = (folder, leastRoom)
        access = try AccessPolicy(configuration, port: port, proof: Self.proof(token))
        gate = TokenGate(token: token, isClosed: configuration.demandsToken)
        requests = try RequestForwarder(folder: folder, size: size, bucket: bucket)
        credentials = [.authorization: "Bearer \(token)", .offlineServerNode: Self.proof(token)]
    }

    /// The proof by which the nodes of a store know each other: a digest of the API token, which all of them have.
    static func proof(_ token: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Array("offline-server node \(token)".utf8)))
    }

    /// Sets the active node, to which requests are passed on; `nil` if there is none. Transfers from the node that was
    /// active before are ended: that node has ended them itself, or is dead, frozen or cut off.
    package func go(to address: String?) {
        let isOther = active.withLock { active in
            defer { active = address }
            return active != address
        }
        if isOther { requests.giveUp() }
    }

    /// Sets the reason for which the catalog can't be reached now; `nil` if it can.
    package func note(trouble reason: String?) { trouble.withLock { $0 = reason } }

    package func stop() async { await requests.stop() }

    /// Deletes the kept segments. Responses that are being sent continue.
    package func empty() { requests.empty() }

    var counted: RequestForwarder.Counts { requests.counted }

    /// The refusal of a request that this node answers itself and whose API token is missing or wrong; `nil` if the
    /// request is admitted.
    func refusal(of request: Request) -> Response? {
        gate.admit(request) == nil ? TokenGate.refusal.response : nil
    }

    /// Whether the disk has room for this node to take over the store.
    package var hasRoom: Bool { lackOfRoom == nil }

    /// The problem of a node whose disk is full, so that it can't take over the store; `nil` if there is room.
    var lackOfRoom: Problem? {
        guard let free = FileSystem.freeSpace(at: folder.parent), free < leastRoom else {
            return nil
        }
        return Problem(
            status: .serviceUnavailable, type: "disk-full",
            detail:
                "This node can't take over the store, because the disk of its folder has less than \(HumanUnits.bytes(Int64(clamping: leastRoom))) free; make room there, or lower --cache-size.",
            retryAfter: 30)
    }

    /// The answer of the active node; `nil` if there is none, or the request was passed on before.
    func answer(_ request: Request) -> Answer? {
        guard let address = active.withLock(\.self), request.header(.offlineServerNode) == nil else {
            return nil
        }
        // Only the active node knows which browsers have signed in: it decides about requests that the gate refuses.
        let admitted = gate.admit(request)
        var meant = admitted ?? request
        meant = access.proxies.outerAddress(of: request).map(meant.reached) ?? meant
        if admitted != nil, let answer = quickAnswer(meant) { return answer }
        if let refusal = RequestCheck.refusal(of: request) { return .response(refusal.response) }
        switch access.verdict(on: meant) {
        case .refused(let problem):
            return .response(problem.about(assetAbove: meant.path).response)
        case .permitted(let origin):
            guard admitted != nil, Self.isForAll(meant) else { return passedOn(to: address) }
            let prefix = meant.prefix
            if let kept = requests.keptAnswer(to: meant) { return kept.shared(with: origin) }
            return .later(deadline: Self.patience) { [requests, credentials] received in
                let inner = prefix.isEmpty ? received : received.without(prefix: prefix)
                guard
                    let response = await requests.sharedResponse(to: inner, at: address, fields: credentials)
                else {
                    return await self.response(to: received, address)
                }
                return origin.map { response.shared(with: $0) } ?? response
            }
        }
    }

    /// The answer to a plain request for a kept segment; `nil` without one, or if the request needs a closer look.
    private func quickAnswer(_ request: Request) -> Answer? {
        guard request.query == nil, request.method == .get || request.method == .head, !request.comesFromPage,
            request.isUnconditional, access.isUsualName(request.authority)
        else { return nil }
        return requests.keptAnswer(to: request)
    }

    /// Whether all clients get the same answer. This is so for stored segments and initialization sections that are
    /// not decrypted or converted.
    private static func isForAll(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head, request.query == nil,
            case .asset(_, .unit)? = Route(path: request.path)
        else { return false }
        return true
    }

    private func passedOn(to address: String) -> Answer {
        .later(deadline: Self.patience) { await self.response(to: $0, address) }
    }

    private func response(to request: Request, _ address: String) async -> Response {
        do throws(ForwardingError) {
            // Another node may be active by now.
            guard active.withLock(\.self) == address else { throw .unreachable }
            return try await requests.forward(
                request, to: address,
                fields: access.proxies.fields(passingOn: request, isClosed: gate.isClosed))
        } catch {
            return Self.problem(error, of: request, at: address, trouble: trouble.withLock(\.self))
                .waitingResponse(to: request)
        }
    }

    /// The answer if a request could not be passed on. After 503 no change was carried out, and the client may repeat
    /// the request. After 502 a change may have been carried out, so the client should look first.
    ///
    /// - Parameters:
    ///   - address: the active node's.
    ///   - trouble: the reason for which the catalog can't be reached, either; `nil` if it can.
    static func problem(
        _ error: ForwardingError, of request: Request, at address: String, trouble: String?
    ) -> Problem {
        let isChange = ![.get, .head, .options].contains(request.method)
        switch error {
        case .method: return Problem.methodNotAllowed(RequestCheck.allowed)
        case .broken where isChange:
            return Problem(
                status: .badGateway, type: "standby",
                detail:
                    "The connection to the active node at \(address) broke; the change may have been made. Look before you send it again.",
                more: [("active_node", .string(address))], retryAfter: 1)
        case .broken, .unreachable:
            let start = "This node is on standby, and can't reach the active node at \(address)"
            let advice = "Ask again in a moment. If it stays so, check the --node-url of that node."
            return Problem(
                status: .serviceUnavailable, type: "standby",
                detail: trouble.map { "\(start), nor the catalog. \($0)" } ?? "\(start). \(advice)",
                more: [("active_node", .string(address))], retryAfter: 1)
        }
    }
}
