internal import Foundation
package import StoreReading

/// The shapes of bodies, read from the schemas in the documentation: so the server accepts what is documented.
package enum APIShapes {
    /// The shapes of bodies by the names of their schemas.
    private static let all: [String: JSONShape] = {
        let bodies = (APISchemas.bodies + DownloadList.Schema.downloadForms).map { ($0.0, shape($0.1)) }
        return Dictionary(bodies + [("Object", JSONShape.object([]))]) { first, _ in first }
    }()

    /// The fault of a body; `nil` when it has the form that its schema describes. No body at all counts as an empty
    /// object.
    ///
    /// - Parameter name: the schema's.
    package static func fault(in bytes: [UInt8], _ name: String) -> JSONFault? {
        do throws(JSONFault) {
            let body = try LocatedJSON(parsing: bytes.isEmpty ? Array("{}".utf8) : bytes)
            return shape(of: body, name)?.fault(in: body)
        } catch {
            return error
        }
    }

    /// The shape for a body. A body with several downloads is recognized by its content.
    private static func shape(of body: LocatedJSON, _ name: String) -> JSONShape? {
        guard name == "DownloadRequest" else { return all[name] }
        if case .array = body.value { return all["DownloadArray"] }
        return body["assets"] == nil ? all["Download"] : all["DownloadList"]
    }

    /// Reads a schema. Rules about several members are checked by the reader of the body; of `allOf`, the first
    /// schema lists the possible members.
    private static func shape(_ schema: JSONValue) -> JSONShape {
        plainShape(schema).meaning(schema["description"]?.string.map(asClause))
    }

    private static func plainShape(_ schema: JSONValue) -> JSONShape {
        if let name = schema["$ref"]?.string?.split(separator: "/").last.map(String.init) {
            return APISchemas.all.first { $0.0 == name }.map { shape($0.1) } ?? .text
        }
        if let first = schema["allOf"]?.items.first { return shape(first) }
        if schema["properties"] != nil { return object([schema]) }
        let choices = schema["anyOf"]?.items ?? []
        guard choices.isEmpty || choices.contains(where: { $0["properties"] == nil }) else {
            return object(choices)
        }
        let kinds = (schema["type"]?.strings ?? []).map { single($0, schema) } + names(schema)
        return .either(choices.map(shape) + kinds)
    }

    /// An object with several possible schemas: a member may have any value that one of them permits.
    private static func object(_ choices: [JSONValue]) -> JSONShape {
        var names: [String] = []
        var shapes: [String: [JSONShape]] = [:]
        for (name, schema) in choices.flatMap({ $0["properties"]?.members ?? [] }) {
            if shapes[name] == nil { names.append(name) }
            shapes[name, default: []].append(shape(schema))
        }
        let required = choices.count == 1 ? choices[0]["required"]?.strings ?? [] : []
        return .object(names.map { (name: $0, shape: .either(shapes[$0] ?? [])) }, required: required)
    }

    /// The shape of one type of a schema.
    private static func single(_ type: String, _ schema: JSONValue) -> JSONShape {
        switch type {
        case "null": return .null
        case "boolean": return .flag
        case "integer":
            return .integer((schema["minimum"]?.int ?? .min)...(schema["maximum"]?.int ?? .max))
        case "number": return .number(atLeast: schema["minimum"]?.int.map(Double.init))
        case "array":
            var item = schema["items"].map(shape) ?? .text
            // The description of the list is the only one that says which texts fit.
            if item.meaning == nil, schema["items"]?["pattern"] != nil {
                item.meaning = schema["description"]?.string.map(asClause)
            }
            return .list(item, atLeast: Int(schema["minItems"]?.int ?? 0))
        case "object": return .map(schema["additionalProperties"].map(shape) ?? .text)
        default: return text(schema)
        }
    }

    private static func text(_ schema: JSONValue) -> JSONShape {
        if let names = schema["enum"]?.strings, !names.isEmpty { return .name(names) }
        // The code that fetches an address checks it.
        guard let pattern = schema["pattern"]?.string, pattern != URLPattern.text,
            let expression = try? NSRegularExpression(pattern: pattern)
        else { return .text }
        let matcher = TextMatcher(expression: expression)
        return .text(JSONFault.someForm) { matcher.matches($0) }
    }

    /// The values of a schema that has no type and only lists them.
    private static func names(_ schema: JSONValue) -> [JSONShape] {
        guard schema["type"] == nil else { return [] }
        let values = (schema["enum"]?.items ?? []) + [schema["const"]].compactMap(\.self)
        let texts = values.compactMap(\.string)
        var shapes: [JSONShape] = texts.isEmpty ? [] : [.name(texts)]
        for value in values {
            switch value {
            case .null: shapes.append(.null)
            case .bool: shapes.append(.flag)
            default: break
            }
        }
        return shapes
    }

    /// A description as a clause within a sentence.
    private static func asClause(_ text: String) -> String {
        let first = text.prefix(1).lowercased() + text.dropFirst()
        return first.hasSuffix(".") ? String(first.dropLast()) : first
    }
}

/// A compiled pattern. `NSRegularExpression` is immutable and documented to be used by any number of threads.
private struct TextMatcher: @unchecked Sendable {
    let expression: NSRegularExpression

    func matches(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}

extension JSONValue {
    /// The member of an object.
    subscript(name: String) -> JSONValue? { members.first { $0.0 == name }?.1 }
    /// The members of an object; empty for other values.
    package var members: [(String, JSONValue)] { if case .object(let members) = self { members } else { [] } }
    /// The items of an array; empty for other values.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
    /// The text, if it is one.
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The whole number, if it is one.
    fileprivate var int: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The text alone, or the texts of an array.
    fileprivate var strings: [String] { string.map { [$0] } ?? items.compactMap(\.string) }
}
