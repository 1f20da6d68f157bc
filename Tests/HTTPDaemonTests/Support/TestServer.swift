import HTTPTypes
import TestSupport

@testable import HTTPDaemon

/// A daemon on a free port that answers by a closure.
struct TestServer: Sendable {
    private struct Responder: HTTPResponder {
        let answer: @Sendable (Request) -> Answer
        let refusing: @Sendable (Refusal, Request?) -> Response

        func respond(to request: Request) -> Answer { answer(request) }

        func refuse(_ refusal: Refusal, of request: Request?) -> Response { refusing(refusal, request) }
    }

    let daemon: HTTPDaemon

    init(
        _ configuration: HTTPDaemonConfiguration = HTTPDaemonConfiguration(),
        answer: @escaping @Sendable (Request) -> Answer,
        refusing: @escaping @Sendable (Refusal, Request?) -> Response = { refusal, _ in
            Response(problem: refusal)
        }
    ) throws {
        daemon = try HTTPDaemon(
            configuration: configuration, responder: Responder(answer: answer, refusing: refusing))
    }

    func client(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(port: daemon.port, receiveBuffer: receiveBuffer, server: daemon)
    }

    /// Sends `text` on a new connection and returns all that comes back until it ends.
    func exchange(_ text: String) async throws -> Reply {
        let client = try client()
        return try await blocking {
            try client.send(text)
            return Reply(try client.receiveAll())
        }
    }

    /// A GET whose connection is closed afterwards.
    func get(_ path: String, _ fields: String...) async throws -> Reply {
        try await exchange(get: path, fields)
    }

    func exchange(get path: String, _ fields: [String]) async throws -> Reply {
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }
}

extension Answer {
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
        .response(Response(status: status, body: .bytes(Array(text.utf8))))
    }

    static func stream(_ source: any BodySource, length: UInt64? = nil) -> Answer {
        .response(Response(status: .ok, body: .stream(length: length, source)))
    }
}
