import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Nodes that hand a store over", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs),
    .serialized, .timeLimit(.minutes(5)))
struct NodeHandoverTests {
    /// A segment that no connection holds in its buffers: a transport stream with many null packets in the middle.
    private static let long: [UInt8] = {
        let stream = SampleMedia.transportStream(349, seed: 5)
        let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        let middle = stream.count / 376 * 188
        return stream[..<middle] + (0..<100_000).flatMap { _ in null } + stream[middle...]
    }()

    /// A stream of the long segment; its URL.
    private func publish(on origin: OriginServer) -> String {
        origin.serve("/long.ts", bytes: Self.long)
        origin.serve(
            "/long.m3u8",
            text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nlong.ts\n#EXT-X-ENDLIST\n")
        return origin.url("/long.m3u8")
    }

    @Test("go on sending what they have begun to send while the next one is active already")
    func sending() async throws {
        // On a busy machine the next node may need longer than the first one goes on.
        for _ in 0..<4 where try await sendsOn() { return }
        Issue.record("no node was active before the first one had ended")
    }

    /// Whether the first node still runs when the second one is active, and the client gets the rest of the segment.
    private func sendsOn() async throws -> Bool {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await first.add(#"{"url": "\#(publish(on: pair.origin))"}"#)
        try await first.untilComplete(token)
        let client = try RawHTTPClient(port: first.ready.port)
        client.send(
            "GET /assets/\(token)/video/0.ts HTTP/1.1\r\nHost: 127.0.0.1:\(first.ready.port)\r\n"
                + "Connection: close\r\n\r\n"
        )
        // The head has come, and most of the body waits for the client.
        _ = try await blocking { client.readLines { $0.isEmpty } }
        Foundation.kill(first.ready.pid, SIGTERM)
        try await second.untilActive()
        let runs = Foundation.kill(first.ready.pid, 0) == 0
        let body = try await blocking { client.readToEnd() }
        let outcome = try await first.running.end()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await second.running.stop()
        pair.origin.stop()
        return runs && body.suffix(10_000) == Self.long.suffix(10_000)
    }

    @Test("end and change nothing if they are cut off from the database alone, and another one goes on")
    func cutOff() async throws {
        let pair = try NodePair()
        let port = try #require(URL(string: pair.database)?.port)
        let relay = try CuttingRelay(to: UInt16(port))
        let detour = pair.database.replacing(":\(port)/", with: ":\(relay.port)/")
        let first = try await pair.start(pair.one, ["--catalog", detour])
        try await first.untilActive()
        try pair.shareKey()
        let second = try await pair.start(pair.two)
        try await eventually { try await second.get("/readyz").status == 200 }
        pair.origin.limitLine(bytesPerSecond: 20_000)
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await eventually { try !pair.storedSegments(token).isEmpty }
        relay.cutOff()
        let before = try pair.storedSegments(token)
        let outcome = try await first.running.end()
        #expect(outcome.status == 75, "\(outcome.errors)")
        // One commit at most was on its way.
        #expect(try pair.storedSegments(token).subtracting(before).count <= 1)
        try await second.untilActive()
        pair.origin.limitLine(bytesPerSecond: 100_000_000)
        try await second.untilComplete(token)
        for (path, bytes, _) in SampleStream.served {
            #expect(try await second.get("/assets/\(token)/\(path)").body == bytes, "\(path)")
        }
        try await second.running.stop()
        pair.origin.stop()
    }

    @Test("leave it to one whose disk is not full, if there is one", .enabled(if: geteuid() == 0))
    func fullDisk() async throws {
        let pair = try NodePair()
        // The folder of the second node is a small file system, which is nearly full.
        let folder = pair.two.store.path
        let mount = try ChildProcess("/bin/mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", folder])
        #expect(mount.wait() == 0)
        defer { _ = try? ChildProcess("/bin/umount", ["-l", folder]).wait() }
        let (first, full) = try await pair.startBoth()
        try Data(count: 20 << 20).write(to: URL(filePath: pair.two.store.file("other")))
        let reply = try await full.get("/readyz")
        #expect(reply.status == 503 && reply.text.contains("disk"), "\(reply.text)")
        let three = try Program()
        try NodePair.writeSecret([UInt8](pair.one.store.read("store.key")), to: three.store.file("store.key"))
        let third = try await pair.start(three)
        try await eventually { try await third.get("/readyz").status == 200 }
        try await first.running.stop()
        try await third.untilActive()
        #expect(try await !full.isActive())
        // Alone it takes the store after all: it can serve what is stored.
        try await third.running.stop()
        try await full.untilActive()
        try await full.running.stop()
        pair.origin.stop()
    }
}
