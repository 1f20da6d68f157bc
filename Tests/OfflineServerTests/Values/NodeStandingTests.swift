import AssetStore
import Foundation
import HTTPDaemon
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A node on standby", .timeLimit(.minutes(1)))
struct NodeStandingTests {
    private static let page = ["Accept": "text/html,application/xhtml+xml;q=0.9"]

    private func withNode(
        leastRoom: UInt64 = 0, _ body: (RawGet) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        var configuration = PlaybackServer.Configuration()
        configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
        let listener = try ServerListener(configuration, policy: EnginePolicy())
        let forwarder = try NodeForwarder(
            configuration, port: listener.port, token: "secret",
            folder: FilePath(folder.file("kept")), size: 1 << 20, leastRoom: leastRoom)
        listener.wait(.standby(active: nil))
        listener.forward(through: forwarder)
        try await body(RawGet(port: listener.port, forwarder: forwarder))
        await listener.stop()
        await forwarder.stop()
    }

    private struct RawGet {
        let port: UInt16
        let forwarder: NodeForwarder

        func callAsFunction(_ path: String, _ fields: [String: String] = [:]) async throws -> Reply {
            try await blocking {
                let client = try RawHTTPClient(port: port)
                let lines = fields.map { "\($0): \($1)\r\n" }.joined()
                client.send(
                    "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(lines)\r\n")
                return Reply(client.readToEnd())
            }
        }
    }

    @Test("without an active one answers a person with a page, and a program with a problem document")
    func waitingPage() async throws {
        try await withNode { get in
            for path in ["/", "/watch/01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
                let reply = try await get(path, Self.page)
                #expect(reply.status == 503 && reply["Retry-After"] != nil, "\(path)")
                #expect(reply["Content-Type"]?.hasPrefix("text/html") == true)
                #expect(
                    reply.text.contains("no node is active") && reply.text.contains("http-equiv=\"refresh\""))
            }
            for (path, fields) in [("/", [:]), ("/api/v1/assets", Self.page), ("/readyz", Self.page)] {
                let reply = try await get(path, fields)
                #expect(reply.status == 503, "\(path)")
                #expect(reply["Content-Type"] == "application/problem+json", "\(path)")
            }
            // The active node can't be reached.
            get.forwarder.go(to: "http://127.0.0.1:1")
            let lost = try await get("/", Self.page)
            #expect(lost.status == 503 && lost["Content-Type"]?.hasPrefix("text/html") == true)
            #expect(lost.text.contains("http://127.0.0.1:1"))
        }
    }

    @Test("is not ready while its disk is full, because it could not take over")
    func fullDisk() async throws {
        try await withNode(leastRoom: .max) { get in
            let reply = try await get("/readyz")
            #expect(reply.status == 503 && reply.text.contains("disk"), "\(reply.text)")
            #expect(try await get("/healthz").status == 200)
        }
    }
}
