import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// The state that a killed server leaves, and the work of the next one.
@Suite("After a kill in the middle", .fewAtOnce, .timeLimit(.minutes(2)))
struct RestartTests {
    private static let stall = 30000
    private static let part = ".0.ts.part"

    /// Downloads until the first video segment stalls in the middle, then kills the server; the asset's token.
    private func killed(_ program: Program, _ origin: OriginServer) async throws -> String {
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/0.ts", .stall(after: Self.stall), times: 1)
        let server = try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"])
        let ready = try Program.Ready(await server.line(0))
        let reply = try await blocking {
            let client = try RawHTTPClient(port: ready.port)
            let body = #"{"url": "\#(url)"}"#
            client.send(
                "POST /api/v1/assets HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return Reply(client.readToEnd())
        }
        let token = try #require(reply.object["token"] as? String)
        let head = path(token, "\(Self.part).head", program)
        try await eventually { FileManager.default.fileExists(atPath: head) }
        kill(ready.pid, SIGKILL)
        _ = try await server.end()
        return token
    }

    private func path(_ token: String, _ name: String, _ program: Program) -> String {
        program.store.file("assets/\(token)/video-360p/\(name)")
    }

    /// The first video segment from a server that starts now.
    private func segment(_ token: String, _ program: Program) async throws -> Reply {
        try await program.serving { ready in
            try await blocking {
                let client = try RawHTTPClient(port: ready.port)
                client.send(
                    "GET /assets/\(token)/video-360p/0.ts HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\n"
                        + "Connection: close\r\n\r\n")
                return Reply(client.readToEnd())
            }
        }
    }

    @Test("the segment is resumed, if the origin still has the same version")
    func goesOn() async throws {
        let origin = try OriginServer()
        let program = try Program()
        let token = try await killed(program, origin)
        origin.forgetRequests()
        let reply = try await segment(token, program)
        #expect(reply.isWhole && reply.body == SampleStream.video(0))
        let asked = try #require(origin.requests(for: "/video/0.ts").first)
        #expect(asked.offset == Self.stall)
        #expect(asked.header("If-Range") != nil)
        #expect(!FileManager.default.fileExists(atPath: path(token, "\(Self.part).head", program)))
        origin.stop()
    }

    @Test("another version at the origin is fetched from its beginning")
    func changed() async throws {
        let origin = try OriginServer()
        let program = try Program()
        let token = try await killed(program, origin)
        origin.serve("/video/0.ts", bytes: SampleStream.otherVideo)
        let reply = try await segment(token, program)
        #expect(!reply.isWhole || reply.body == SampleStream.otherVideo)
        let again = try await segment(token, program)
        #expect(again.body == SampleStream.otherVideo)
        origin.stop()
    }

    @Test(
        "after a restart of the machine unflushed bytes are not trusted, and orphaned files are deleted"
    )
    func restartedMachine() async throws {
        let origin = try OriginServer()
        let program = try Program()
        let token = try await killed(program, origin)
        let head = path(token, "\(Self.part).head", program)
        let text = try String(contentsOfFile: head, encoding: .utf8)
        try text.replacing(#/"boot":"[^"]*"/#, with: #""boot":"another""#).write(
            toFile: head, atomically: true, encoding: .utf8)
        let orphan = path(token, ".9.ts.part", program)
        try Data([1]).write(to: URL(filePath: orphan))
        origin.forgetRequests()
        let reply = try await segment(token, program)
        #expect(reply.body == SampleStream.video(0))
        #expect(origin.requests(for: "/video/0.ts").map(\.offset) == [0])
        #expect(!FileManager.default.fileExists(atPath: orphan))
        origin.stop()
    }
}
