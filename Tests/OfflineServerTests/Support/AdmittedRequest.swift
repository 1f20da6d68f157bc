@testable import HTTPDaemon

extension Request {
    /// A request as it passed the front door.
    ///
    /// - Parameter host: the field Host; `nil` for HTTP/1.0 without one.
    static func admitted(
        _ target: String, method: String = "GET", host: String? = "localhost:8090",
        fields: [(String, String)] = [], peer: String = "127.0.0.1"
    ) throws -> Request {
        var bytes: [UInt8] = []
        for (name, value) in (host.map { [("Host", $0)] } ?? []) + fields {
            bytes += Array(name.utf8) + [0] + Array(value.utf8) + [0, 0]
        }
        let head = RawHead(
            method: method, target: Array(target.utf8), minorVersion: host == nil ? 0 : 1,
            fields: bytes + [0, 0])
        return try RequestGuard(bodyLimit: 100).admit(head, peer: peer)
    }
}

extension Response {
    /// The bytes of the body as text; empty for a body of another kind.
    var bodyText: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
