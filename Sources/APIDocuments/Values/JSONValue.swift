internal import ASCII

/// A JSON value that keeps the order of its members, so that output reads like the documentation.
package enum JSONValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])

    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }

    package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Int64?) { self = value.map(JSONValue.integer) ?? .null }
    package init(_ value: Bool) { self = .bool(value) }

    /// A number, rounded to a millionth, which is finer than any playlist; null if JSON can't express it.
    package init(_ value: Double?) {
        guard let value, value.isFinite else {
            self = .null
            return
        }
        self = .number((value * 1_000_000).rounded() / 1_000_000)
    }

    /// The object with more members; any other value is unchanged.
    package func adding(_ more: [(String, JSONValue)]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + more)
    }

    /// The value in one line.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value in one line, in UTF-8.
    package var bytes: [UInt8] {
        var output = JSONOutput()
        write(to: &output)
        return output.bytes
    }

    /// The value over several lines, for people.
    package var pretty: String {
        var output = JSONOutput(hasLines: true)
        write(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private func write(to output: inout JSONOutput) {
        switch self {
        case .null: output.null()
        case .bool(let value): output.value(value)
        case .integer(let value): output.value(literal: "\(value)")
        case .number(let value): output.value(literal: Self.text(of: value))
        case .string(let value): output.value(value)
        case .array(let values):
            output.open("[")
            for value in values { value.write(to: &output) }
            output.close("]")
        case .object(let members):
            output.open("{")
            for (name, value) in members {
                output.name(escaping: name)
                value.write(to: &output)
            }
            output.close("}")
        }
    }

    private static func text(of value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
