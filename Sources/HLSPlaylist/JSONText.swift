/// A JSON value that can be written (RFC 8259).
indirect enum JSONText {
    case null
    case bool(Bool)
    case number(Double?)
    case integer(Int?)
    case string(String?)
    case array([JSONText])
    case object([(name: String, value: JSONText)])

    /// The object with more members; other values are left as they are.
    func adding(_ members: [(name: String, value: JSONText)]) -> JSONText {
        guard case .object(let first) = self else { return self }
        return .object(first + members)
    }

    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += value.map { $0.isFinite ? "\($0)" : "null" } ?? "null"
        case .integer(let value): text += value.map { "\($0)" } ?? "null"
        case .string(let value): JSONText.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSONText.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String?, to text: inout String) {
        guard let value else {
            text += "null"
            return
        }
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
