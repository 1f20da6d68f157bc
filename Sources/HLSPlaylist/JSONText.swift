/// A JSON value that can be written (RFC 8259).
indirect enum JSONText {
    case null
    case bool(Bool)
    case number(Double?)
    case integer(Int?)
    case string(String?)
    case array([JSONText])
    /// An array of so many values, each of which is made when it is written: of a million segments, one at a time.
    case list(count: Int, at: (Int) -> JSONText)
    case object([(name: String, value: JSONText)])

    /// The object with more members; other values are left as they are.
    func adding(_ members: [(name: String, value: JSONText)]) -> JSONText {
        guard case .object(let first) = self else { return self }
        return .object(first + members)
    }

    /// The value in one line.
    var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += (value.map { $0.isFinite ? "\($0)" : "null" } ?? "null").utf8
        case .integer(let value): bytes += (value.map { "\($0)" } ?? "null").utf8
        case .string(let value?): JSONText.write(value, to: &bytes)
        case .string(nil): bytes += "null".utf8
        case .array(let values): JSONText.write(values.count, { values[$0] }, to: &bytes)
        case .list(let count, let value): JSONText.write(count, value, to: &bytes)
        case .object(let members): JSONText.write(members, to: &bytes)
        }
    }

    private static func write(_ count: Int, _ value: (Int) -> JSONText, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            value(index).write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [(name: String, value: JSONText)], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if value.utf8.contains(where: isEscaped) {
            for byte in value.utf8 { write(byte, to: &bytes) }
        } else {
            bytes += value.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func write(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard isEscaped(byte) else { return bytes.append(byte) }
        guard byte < 0x20 else { return bytes += [UInt8(ascii: "\\"), byte] }
        bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
    }
}
