internal import APIDocuments
internal import AssetStore
internal import HTTPTypes

/// The OpenAPI 3.1 document of the API, made from its operations.
struct OpenAPIDocument {
    let operations: [APIOperation]

    var json: JSONValue {
        .object([
            ("openapi", "3.1.0"), ("info", Self.info),
            ("servers", [["url": "/api/v1", "description": "the server that sent this document"]]),
            ("paths", .object(paths)),
            (
                "components",
                [
                    "schemas": .object(APISchemas.all), "responses": .object(OpenAPIRefusal.components),
                    "securitySchemes": ["token": Self.tokenScheme],
                ]
            ), ("security", [[:], ["token": []]]),
        ])
    }

    private static let info: JSONValue = [
        "title": "offline-server", "version": .string(Version.current),
        "description": .string(
            """
            Downloads HLS streams and plays them from this machine. `POST /assets` makes an asset of a stream. Its \
            `playlist_url` is for players, at once and for good. `GET /assets/{token}` shows the progress of the download, \
            `GET /events` follows the events.

            Bodies are JSON, sent as `application/json`; send `{}` if no member is needed. A member that is null counts as \
            missing, except a limit in a PATCH, which null lifts. Members and query items that are not known are refused, with \
            the name that was probably meant. Times are RFC 3339 in UTC. Answers may get new members in later versions: let \
            clients ignore members that they don't know.

            Errors are problem documents (RFC 9457). Programs use `status` and `type`, not the text. After a 503, Retry-After says \
            when to ask again.

            On the server's machine no credentials are needed, unless it runs with `--require-token` or listens for other machines. \
            Then each request shows the API token, the content of the store's file `api-token`, as a bearer.
            """),
    ]

    private static let tokenScheme: JSONValue = [
        "type": "http", "scheme": "bearer",
        "description":
            "The content of the store's file api-token; demanded with --require-token, and whenever other machines can reach the server.",
    ]

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
        if template.contains("{session}") {
            let session: JSONValue = [
                "name": "session", "in": "path", "required": true, "description": "the id of a session",
                "schema": APISchemas.text, "example": "0123456789abcdef",
            ]
            return [("parameters", [session])]
        }
        guard template.contains("{token}") else { return [] }
        let token: JSONValue = [
            "name": "token", "in": "path", "required": true, "description": "the asset",
            "schema": APISchemas.reference("Token"), "example": APIExamples.token,
        ]
        return [("parameters", [token])]
    }

    private static func operation(_ operation: APIOperation) -> JSONValue {
        let documentation = operation.documentation
        var members: [(String, JSONValue)] = [
            ("operationId", .string(operation.name)), ("summary", .string(operation.summary)),
        ]
        if let details = documentation.details { members.append(("description", .string(details))) }
        if !documentation.query.isEmpty {
            members.append(("parameters", .array(documentation.query.map(parameter))))
        }
        if let body = documentation.body {
            var content: [(String, JSONValue)] = [("schema", APISchemas.reference(body))]
            if let example = APIExamples.body(of: operation) { content.append(("example", example)) }
            members.append(
                ("requestBody", ["required": true, "content": [MediaType.json: .object(content)]]))
        }
        return .object(members + [("responses", responses(operation))])
    }

    private static func parameter(_ item: (name: String, schema: JSONValue, summary: String)) -> JSONValue {
        [
            "name": .string(item.name), "in": "query", "description": .string(item.summary),
            "schema": item.schema,
        ]
    }

    private static func responses(_ operation: APIOperation) -> JSONValue {
        let documentation = operation.documentation
        var successes = [("\(documentation.success.status)", success(documentation, "done"))]
        if let other = documentation.other {
            successes.append(("\(other.status)", success(documentation, other.summary)))
        }
        return .object(successes + OpenAPIRefusal.responses(of: operation))
    }

    private static func success(_ documentation: APIDocumentation, _ summary: String) -> JSONValue {
        var members: [(String, JSONValue)] = [("description", .string(summary))]
        if let schema = documentation.success.schema {
            let content: JSONValue = ["schema": APISchemas.reference(schema)]
            members.append(("content", .object([(documentation.type, content)])))
        }
        return .object(members)
    }
}

/// The responses with which operations refuse requests, for the OpenAPI document.
enum OpenAPIRefusal {
    private static let all: [(status: Int, name: String, summary: String)] = [
        (400, "BadRequest", "the query or the body does not match its description"),
        (401, "Unauthorized", "the API token is wrong or missing"),
        (404, "NotFound", "there is no such asset"),
        (
            409, "Conflict",
            "the stream, asset or file does not allow it in its current state; later the same request may succeed"
        ),
        (415, "UnsupportedMediaType", "the body is not sent as \(MediaType.json)"),
        (503, "Unavailable", "not ready yet; Retry-After says when to ask again"),
    ]

    /// The refusals under their names.
    static let components: [(String, JSONValue)] =
        all.map { ($0.name, response($0.summary, $0.status == 503 ? retry : [])) }
        + [("Problem", response("any other error"))]

    private static let retry: [(String, JSONValue)] = [
        ("headers", ["Retry-After": ["description": "Seconds.", "schema": ["type": "integer"]]])
    ]

    private static func response(_ summary: String, _ more: [(String, JSONValue)] = []) -> JSONValue {
        let content: JSONValue = ["schema": APISchemas.reference("Problem")]
        return JSONValue.object([
            ("description", .string(summary)), ("content", .object([(MediaType.problem, content)])),
        ]).adding(more)
    }

    /// The refusals that an operation may answer with.
    static func responses(of operation: APIOperation) -> [(String, JSONValue)] {
        let hasBody = operation.documentation.body != nil
        let own = all.filter { refusal in
            switch refusal.status {
            case 400: hasBody || !operation.documentation.query.isEmpty
            case 404: operation.template.contains("{") || operation.name == "controlAssets"
            case 409: operation.method == .post || operation.template.contains("{token}")
            case 415: hasBody
            default: true
            }
        }
        return own.map { ("\($0.status)", reference($0.name)) } + [("default", reference("Problem"))]
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/responses/\(name)")]
    }
}
