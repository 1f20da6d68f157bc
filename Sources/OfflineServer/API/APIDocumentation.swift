internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// The parameters and answers of an operation, for the OpenAPI document.
struct APIDocumentation: Sendable {
    /// Parameters of the query: name, schema and meaning.
    var query: [(name: String, schema: JSONValue, summary: String)] = []
    /// The name of the schema of the request's body; `nil` without a body.
    var body: String?
    /// The status and the name of the schema of a successful response.
    var success: (status: Int, schema: String?) = (200, "Object")
    /// Another successful status with the same schema, and its meaning.
    var other: (status: Int, summary: String)?
    /// The content type of a successful response.
    var type = MediaType.json
    /// The facts that a client needs beyond the summary.
    var details: String?
}

extension APIOperation {
    /// The operation with its documentation.
    func documented(
        query: [(name: String, schema: JSONValue, summary: String)] = [], body: String? = nil,
        _ status: Int = 200, _ schema: String? = "Object", other: (status: Int, summary: String)? = nil,
        type: String = MediaType.json, details: String? = nil
    ) -> APIOperation {
        var operation = self
        operation.documentation = APIDocumentation(
            query: query, body: body, success: (status, schema), other: other, type: type, details: details)
        return operation
    }
}

extension APIResponder {
    func openAPI() async throws(StoreError) -> Response {
        Response(json: OpenAPIDocument(operations: APIOperation.all).json)
    }
}
