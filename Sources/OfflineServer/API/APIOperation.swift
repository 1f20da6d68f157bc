internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// One operation of the API: a method, a path and the function that carries it out. The routes, the `Allow` fields
/// and the OpenAPI document are made from the list of operations.
struct APIOperation: Sendable {
    var method: HTTPRequest.Method
    /// The path below `/api/v1`. `{token}` stands for the token of an asset, `{session}` for the ID of a session.
    var template: String
    /// The name in clients that are generated from the document.
    var name: String
    /// One sentence.
    var summary: String
    var documentation = APIDocumentation()
    /// The longest time that the operation may take.
    var deadline = Duration.seconds(120)
    var handle: @Sendable (APIResponder, APICall) async throws(StoreError) -> Response

    init(
        _ method: HTTPRequest.Method, _ template: String, name: String, summary: String,
        handle: @escaping @Sendable (APIResponder, APICall) async throws(StoreError) -> Response
    ) {
        self.method = method
        self.template = template
        self.name = name
        self.summary = summary
        self.handle = handle
    }

    /// The operation with a deadline of a day, since it may read or move all bytes of a disk.
    var takingLong: APIOperation {
        var operation = self
        operation.deadline = .seconds(24 * 3600)
        return operation
    }

    /// The method as OpenAPI names it.
    var methodName: String { method.rawValue.lowercased() }

    /// Whether a path belongs to the operation.
    func matches(_ parts: [String]) -> Bool {
        let pattern = template.split(separator: "/")
        return pattern.count == parts.count
            && zip(pattern, parts).allSatisfy { $0 == $1 || ($0.hasPrefix("{") && !$1.isEmpty) }
    }

    /// The part of a path that stands where the template has a name in braces.
    func token(in parts: [String]) -> String? {
        zip(template.split(separator: "/"), parts).first { $0.0.hasPrefix("{") }?.1
    }
}

/// A request for an operation.
struct APICall: Sendable {
    let request: Request
    /// The part of the received path in the place of `{token}` or another placeholder.
    let tokenText: String

    /// The asset that the path names.
    var token: AssetToken {
        get throws(StoreError) {
            guard let token = AssetToken(tokenText) else { throw StoreError(.noSuchAsset(tokenText)) }
            return token
        }
    }

    var query: QueryItems { QueryItems(request.query) }
}
