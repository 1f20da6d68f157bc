internal import StoreReading

/// The schemas of a body or a document of the API (JSON Schema 2020-12), and the words that they are written in.
package protocol Described {
    /// The schemas of the type and its parts, by their names in the OpenAPI document.
    static var schemas: [(String, JSONValue)] { get }
}

extension Described {
    package static var text: JSONValue { ["type": "string"] }
    static var textOrNull: JSONValue { ["type": ["string", "null"]] }
    static var time: JSONValue { ["type": "string", "format": "date-time"] }
    static var timeOrNull: JSONValue { ["type": ["string", "null"], "format": "date-time"] }
    static var integer: JSONValue { ["type": "integer"] }
    static var integerOrNull: JSONValue { ["type": ["integer", "null"]] }
    static var number: JSONValue { ["type": "number"] }
    static var numberOrNull: JSONValue { ["type": ["number", "null"]] }
    static var flag: JSONValue { ["type": "boolean"] }
    static var flagOrNull: JSONValue { ["type": ["boolean", "null"]] }
    static var object: JSONValue { ["type": "object"] }
    static var texts: JSONValue { list(text) }
    static var bytes: JSONValue { integer.said("Bytes.") }

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

    package static func oneOf(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map { .string($0) })]
    }

    package static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// A schema with more members, all of which are required.
    static func extended(_ name: String, _ members: [(String, JSONValue)]) -> JSONValue {
        ["allOf": [reference(name), whole(members)]]
    }

    static func orNull(_ name: String) -> JSONValue {
        ["anyOf": [reference(name), ["type": "null"]]]
    }
}

extension JSONValue {
    /// The schema with a description.
    func said(_ description: String) -> JSONValue { adding([("description", .string(description))]) }

    /// The schema with a value that fits it.
    package func with(example: JSONValue) -> JSONValue { adding([("examples", .array([example]))]) }
}
