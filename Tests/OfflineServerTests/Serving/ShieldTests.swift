import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

/// A real nginx with the shipped configuration between viewers and the server.
@Suite(
    "A cache in front of the server", .fewAtOnce, .enabled(if: Shield.runs, "nginx is not installed"),
    .timeLimit(.minutes(2)))
struct ShieldTests {
    private static let stall = 30000

    private static func get(_ port: UInt16, _ target: String) async throws -> Reply {
        try await blocking {
            let client = try RawHTTPClient(port: port)
            client.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            return Reply(client.readToEnd())
        }
    }

    @Test("viewers of an arriving segment share one request to the server")
    func arriving() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/0.ts", .stall(after: Self.stall), times: 1)
        try await withSite { site in
            let shield = try Shield(before: site.server.port)
            let token = try await site.download(url)
            try await eventually { !origin.requests(for: "/video/0.ts").isEmpty }
            let path = "/assets/\(token)/video-360p/0.ts"
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<8 { group.addTask { [port = shield.port] in try await Self.get(port, path) } }
                try await Task.sleep(for: .milliseconds(300))
                origin.release()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 200 && $0.isWhole && $0.body == SampleStream.video(0) })
            #expect(shield.answers(for: path).count { $0 != "HIT" } == 1)
            #expect(origin.requests(for: "/video/0.ts").count == 1)
        }
        origin.stop()
    }

    @Test("a stored segment is asked of the server once; a playlist each time")
    func stored() async throws {
        try await withSite { site in
            let token = try await site.importSample()
            let shield = try Shield(before: site.server.port)
            let (segment, playlist) = (
                "/assets/\(token)/video-360p/1.ts", "/assets/\(token)/video-360p/media.m3u8"
            )
            for _ in 0..<3 {
                #expect(try await Self.get(shield.port, segment).body == SampleStream.video(1))
                #expect(try await Self.get(shield.port, playlist).status == 200)
            }
            #expect(shield.answers(for: segment) == ["MISS", "HIT", "HIT"])
            #expect(shield.answers(for: playlist) == ["-", "-", "-"])
        }
    }

    @Test("a content key is never kept by it: a revoked license holds at once")
    func keys() async throws {
        try await withSite { site in
            let token = try await site.importSample()
            let shield = try Shield(before: site.server.port)
            let playlist = try await site.get("/assets/\(token)/video-360p/media.m3u8").text
            let uri = try #require(playlist.firstMatch(of: /URI="\.\.\/(keys\/[^"]+)"/)?.1)
            let key = "/assets/\(token)/\(uri)"
            #expect(try await Self.get(shield.port, key).body == SampleStream.key)
            let revoked = try await site.request("DELETE", "/api/v1/assets/\(token)/license")
            #expect(revoked.status < 300)
            #expect(try await Self.get(shield.port, key).status == 403)
        }
    }
}
