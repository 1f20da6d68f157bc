import Foundation

/// A response as it came over the wire.
struct Reply: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: [UInt8]
    /// Whether everything came that the header section announced.
    let isWhole: Bool

    /// Reads the bytes of a server until it closed the connection.
    init(_ bytes: [UInt8], toHead: Bool = false) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.count..<bytes.count
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let rest = Array(bytes[end.upperBound...])
        let length = Self.value(of: "Content-Length", in: fields).flatMap { Int($0) }
        if Self.value(of: "Transfer-Encoding", in: fields) == "chunked", !toHead {
            (body, isWhole) = Self.dechunked(rest)
        } else {
            body = rest
            isWhole = status != 0 && (toHead || [204, 304].contains(status) || (length ?? 0) == rest.count)
        }
    }

    /// The value of a field; nil without.
    subscript(_ name: String) -> String? { Self.value(of: name, in: fields) }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty for other content.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    private static func value(of name: String, in fields: [(name: String, value: String)]) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// RFC 9112, section 7.1; false when the last chunk is missing.
    private static func dechunked(_ bytes: [UInt8]) -> ([UInt8], Bool) {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let line = rest.firstRange(of: [0x0D, 0x0A]) {
            let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { return (body, false) }
            guard size > 0 else { return (body, true) }
            let chunk = rest[line.upperBound...].prefix(size)
            body += chunk
            rest = rest[line.upperBound...].dropFirst(size + 2)
            if chunk.count < size { return (body, false) }
        }
        return (body, false)
    }
}
