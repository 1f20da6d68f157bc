internal import HTTPDaemon
internal import HTTPTypes
internal import Transfers

/// Turns a client's request into a request to another server, as a reverse proxy does (RFC 9110, section 7.6).
enum ForwardedRequest {
    /// Header fields of the client that are not passed on: fields about one connection (RFC 9110, section 7.6.1),
    /// fields that the transfer sets itself, and fields that a client could forge.
    private static let ownFields: Set<HTTPField.Name> = Set(
        [.acceptEncoding, .connection, .contentLength, .expect, .proxyAuthorization, .te, .trailer]
            + [.upgrade, .userAgent]
            + [
                "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "X-Forwarded-Host",
                "X-Forwarded-Proto", "Offline-Server-Demand", "Offline-Server-Node",
            ]
            .compactMap { HTTPField.Name($0) })

    /// The longest wait between two pieces of an answer. An event stream sends a heartbeat every 15 s; the bytes of a
    /// segment may take a minute.
    private static let patience = Duration.seconds(90)

    /// - Parameters:
    ///   - address: the other server, without a slash at the end.
    ///   - fields: header fields for the other server; the client's fields with these names are dropped.
    /// - Returns: `nil` if no resource of the servers supports the method.
    static func make(_ request: Request, to address: String, fields: HTTPFields) -> TransferRequest? {
        guard let method = method(of: request) else { return nil }
        var transfer = empty(address + request.path + (request.query.map { "?\($0)" } ?? ""), method)
        transfer.userAgent = request.header(.userAgent)
        let named = Set(
            (request.header(.connection) ?? "").lowercased().split(separator: ",").map {
                $0.filter { $0 != " " }
            })
        for field in request.headers
        where !ownFields.contains(field.name) && !fields.contains(field.name)
            && !named.contains(field.name.canonicalName)
        {
            transfer.headerFields.append(field)
        }
        for field in fields { transfer.headerFields.append(field) }
        if let authority = request.authority, let host = HTTPField.Name("Host") {
            transfer.headerFields[host] = authority
        }
        return transfer
    }

    /// A GET request of this server's own for a whole resource.
    static func own(_ url: String, fields: HTTPFields) -> TransferRequest {
        var transfer = empty(url, .get)
        transfer.headerFields = fields
        return transfer
    }

    private static func empty(_ url: String, _ method: TransferRequest.Method) -> TransferRequest {
        var transfer = TransferRequest(url: url, method: method)
        transfer.connectTimeout = .seconds(2)
        transfer.stallTimeout = patience
        transfer.stallRate = 1
        transfer.allowsPrivateAddresses = true
        transfer.isPassedOn = true
        return transfer
    }

    private static func method(of request: Request) -> TransferRequest.Method? {
        switch request.method {
        case .get: .get
        case .head: .head
        case .options: .options
        case .post: .post(body: request.body)
        case .put: .put(.bytes(request.body))
        case .patch: .patch(body: request.body)
        case .delete: .delete
        default: nil
        }
    }
}

extension Response {
    /// Fields that are about one connection, or that this server sets itself.
    private static let ownFields: Set<HTTPField.Name> = Set(
        [.connection, .contentLength, .date, .trailer, .upgrade]
            + ["Keep-Alive", "Proxy-Connection", "Transfer-Encoding"].compactMap { HTTPField.Name($0) })

    /// The answer of another server, whose body is still arriving.
    init(_ head: TransferResponse, body: ForwardedAnswer) {
        self.init(status: HTTPResponse.Status(code: head.status))
        for field in head.headerFields where !Self.ownFields.contains(field.name) { headers.append(field) }
        let hasNoBody = head.status == 204 || head.status == 304
        if hasNoBody {
            headers[.contentLength] = head.headerFields[.contentLength]
        } else {
            self.body = .stream(length: head.contentLength, body)
        }
    }
}
