import TestSupport

@testable import OfflineServer

/// A response of which a part has come.
struct ReadResponse: Sendable {
    private let socket: Socket
    private let bytes: [UInt8]

    /// Sends a GET, and waits until at least so many bytes of the body have come.
    init(
        of path: String, _ site: Site, until count: Int, range: String? = nil, fields: [String: String] = [:]
    ) async throws {
        let text = site.message("GET", path, fields.merging(range.map { ["Range": $0] } ?? [:]) { $1 })
        (socket, bytes) = try await blocking { [port = site.server.port] in
            let socket = try Socket(connectingTo: port)
            socket.send(Array(text.utf8))
            var bytes: [UInt8] = []
            while Reply(bytes).body.count < count, case let next = socket.receive(), !next.isEmpty {
                bytes += next
            }
            return (socket, bytes)
        }
    }

    /// The part that has come.
    var soFar: Reply { Reply(bytes) }

    /// The response to its end.
    func rest() async throws -> Reply {
        try await blocking {
            var bytes = bytes
            while case let next = socket.receive(), !next.isEmpty { bytes += next }
            return Reply(bytes)
        }
    }
}
