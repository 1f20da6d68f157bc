internal import Foundation

/// A JSON value that keeps the order of its members, so that what is printed reads like the documentation.
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

    /// A number; what JSON can't say is null. Rounded to a millionth, which is finer than any playlist is.
    package init(_ value: Double?) {
        guard let value, value.isFinite else {
            self = .null
            return
        }
        self = .number((value * 1_000_000).rounded() / 1_000_000)
    }

    /// An object with more members; what is none stays as it is.
    package func adding(_ more: [(String, JSONValue)]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + more)
    }

    /// The value in one line.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value in one line, in UTF-8.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output, indent: nil)
        return output
    }

    /// The value over several lines, for people.
    package var pretty: String {
        var output: [UInt8] = []
        write(to: &output, indent: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], indent: Int?) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += "\(value)".utf8
        case .number(let value): output += Self.text(of: value).utf8
        case .string(let value): Self.write(value, to: &output)
        case .array(let values):
            Self.write(values.map { (nil, $0) }, "[", close: "]", to: &output, indent: indent)
        case .object(let members):
            Self.write(members.map { ($0.0 as String?, $0.1) }, "{", close: "}", to: &output, indent: indent)
        }
    }

    private static func text(of value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    private static func write(
        _ members: [(String?, JSONValue)], _ open: Unicode.Scalar, close: Unicode.Scalar,
        to output: inout [UInt8],
        indent: Int?
    ) {
        output.append(UInt8(ascii: open))
        for (position, (name, value)) in members.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            breakLine(&output, indent.map { $0 + 2 })
            if let name {
                write(name, to: &output)
                output += (indent == nil ? ":" : ": ").utf8
            }
            value.write(to: &output, indent: indent.map { $0 + 2 })
        }
        if !members.isEmpty { breakLine(&output, indent) }
        output.append(UInt8(ascii: close))
    }

    private static func breakLine(_ output: inout [UInt8], _ indent: Int?) {
        guard let indent else { return }
        output.append(UInt8(ascii: "\n"))
        output += [UInt8](repeating: UInt8(ascii: " "), count: indent)
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += "\\n".utf8
            case 0..<0x20, 0x7F:
                let hex = String(byte, radix: 16)
                output += "\\u00\(hex.count == 1 ? "0" : "")\(hex)".utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
