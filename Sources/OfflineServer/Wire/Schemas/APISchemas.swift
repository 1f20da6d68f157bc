internal import AssetStore

/// The schemas of the OpenAPI document (JSON Schema 2020-12).
enum APISchemas {
    static let all: [(String, JSONValue)] =
        [
            ("Token", token.said("An asset's permanent name, a ULID: those of later assets are greater.")),
            ("Object", ["type": "object"]), ("Text", ["type": "string"]), ("Problem", problem),
        ] + assets + answers + bodies + viewing

    static let text: JSONValue = ["type": "string"]
    static let textOrNull: JSONValue = ["type": ["string", "null"]]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let timeOrNull: JSONValue = ["type": ["string", "null"], "format": "date-time"]
    static let integer: JSONValue = ["type": "integer"]
    static let integerOrNull: JSONValue = ["type": ["integer", "null"]]
    static let number: JSONValue = ["type": "number"]
    static let numberOrNull: JSONValue = ["type": ["number", "null"]]
    static let flag: JSONValue = ["type": "boolean"]
    static let flagOrNull: JSONValue = ["type": ["boolean", "null"]]
    static let object: JSONValue = ["type": "object"]
    static let texts = list(text)
    static let bytes = integer.said("Bytes.")

    static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    /// An object whose members are all there.
    static func whole(_ members: [(String, JSONValue)]) -> JSONValue {
        .object([
            ("type", "object"), ("required", .array(members.map { .string($0.0) })),
            ("properties", .object(members)),
        ])
    }

    /// An object some of whose members must be there.
    static func open(_ members: [(String, JSONValue)], required: [String] = []) -> JSONValue {
        .object([
            ("type", "object"), ("properties", .object(members)),
            ("required", .array(required.map { .string($0) })),
        ])
    }

    static func oneOf(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map { .string($0) })]
    }

    static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// A schema with more members, all of which are there.
    static func extended(_ name: String, _ members: [(String, JSONValue)]) -> JSONValue {
        ["allOf": [reference(name), whole(members)]]
    }

    private static let problem = whole([
        ("type", text.said("The type of the error, for programs: tag:offline-server,2026: and a name.")),
        ("title", text), ("status", integer),
        ("detail", text.said("The error and the advice, in a sentence for people.")),
        ("code", textOrNull.said("The name of the store's error, such as nothing-selected.")),
        ("token", textOrNull.said("The asset that it is about.")),
    ]).adding([("additionalProperties", object)]).said(
        "A problem document (RFC 9457). Further members where they say more: pointer (the place in the body, RFC 6901), parameter (the item of the query), suggestion (the name that was probably meant), left_out."
    )
}

extension JSONValue {
    /// The schema, and what it means.
    func said(_ description: String) -> JSONValue { adding([("description", .string(description))]) }

    /// The schema with a value that fits it.
    func with(example: JSONValue) -> JSONValue { adding([("examples", .array([example]))]) }
}
