internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// What an operation takes and gives, for the OpenAPI document.
struct APIDocumentation: Sendable {
    /// Parameters of the query: name, schema, what it means.
    var query: [(name: String, schema: JSONValue, summary: String)] = []
    /// The schema of the request's body; `nil` when there is none.
    var body: String?
    /// Status and schema of success.
    var success: (status: Int, schema: String?) = (200, "Object")
    /// The content type of success.
    var type = MediaType.json
}

extension APIOperation {
    /// The operation with its documentation.
    func documented(
        query: [(name: String, schema: JSONValue, summary: String)] = [], body: String? = nil,
        _ status: Int = 200, _ schema: String? = "Object", type: String = MediaType.json
    ) -> APIOperation {
        var operation = self
        operation.documentation = APIDocumentation(
            query: query, body: body, success: (status, schema), type: type)
        return operation
    }
}

/// The OpenAPI 3.1 document of the API, made from its operations.
struct OpenAPIDocument {
    let operations: [APIOperation]

    var json: JSONValue {
        .object([
            ("openapi", "3.1.0"),
            ("info", ["title": "offline-server", "version": .string(Version.current)]),
            ("servers", [["url": "/api/v1"]]), ("paths", .object(paths)),
            (
                "components",
                [
                    "schemas": .object(APISchemas.all),
                    "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                ]
            ), ("security", [[:], ["token": []]]),
        ])
    }

    private var paths: [(String, JSONValue)] {
        var paths: [(String, JSONValue)] = []
        for template in Set(operations.map(\.template)).sorted() {
            let own = operations.filter { $0.template == template }
            let members = own.map { ($0.methodName, Self.operation($0)) }
            paths.append(("/\(template)", .object(Self.parameters(of: template) + members)))
        }
        return paths
    }

    private static func parameters(of template: String) -> [(String, JSONValue)] {
        guard template.contains("{token}") else { return [] }
        return [
            (
                "parameters",
                [["name": "token", "in": "path", "required": true, "schema": reference("Token")]]
            )
        ]
    }

    private static func operation(_ operation: APIOperation) -> JSONValue {
        let documentation = operation.documentation
        var members: [(String, JSONValue)] = [("summary", .string(operation.summary))]
        if !documentation.query.isEmpty {
            members.append(("parameters", .array(documentation.query.map(parameter))))
        }
        if let body = documentation.body {
            let content: JSONValue = [MediaType.json: ["schema": reference(body)]]
            members.append(("requestBody", ["required": true, "content": content]))
        }
        members.append(("responses", responses(documentation)))
        return .object(members)
    }

    private static func parameter(_ item: (name: String, schema: JSONValue, summary: String)) -> JSONValue {
        [
            "name": .string(item.name), "in": "query", "description": .string(item.summary),
            "schema": item.schema,
        ]
    }

    private static func responses(_ documentation: APIDocumentation) -> JSONValue {
        var success: [(String, JSONValue)] = [("description", "done")]
        if let schema = documentation.success.schema {
            success.append(
                ("content", .object([(documentation.type, .object([("schema", reference(schema))]))])))
        }
        return .object([
            ("\(documentation.success.status)", .object(success)),
            (
                "default",
                [
                    "description": "what went wrong",
                    "content": .object([(MediaType.problem, .object([("schema", reference("Problem"))]))]),
                ]
            ),
        ])
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}

extension APIResponder {
    func openAPI() async throws(StoreError) -> Response {
        Response(json: OpenAPIDocument(operations: APIOperation.all).json)
    }
}
