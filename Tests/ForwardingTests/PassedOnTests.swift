import Forwarding
import Foundation
import TestSupport
import Testing

@Suite("A request that is passed on", .timeLimit(.minutes(1)))
struct PassedOnTests {
    private let origin: OriginServer
    private let front: Front

    init() throws {
        origin = try OriginServer()
        front = try Front(origin.url(""))
    }

    @Test("reaches the other server as the client sent it, but for the fields of its connection")
    func request() async throws {
        origin.serve("/api", text: "done")
        _ = try await front.exchange(
            "/api?a=1&b=%20x", method: "PATCH",
            fields: [
                "Content-Type: application/json", "If-Match: \"7\"", "User-Agent: mpv", "Cookie: s=1",
                "X-Forwarded-Host: evil.example", "Keep-Alive: 5", "Connection: X-Hop", "X-Hop: 1",
            ], body: "{\"name\": \"Fjord\"}")
        let got = try #require(origin.requests.first)
        #expect(got.method == "PATCH" && got.path == "/api" && got.query == "a=1&b=%20x")
        #expect(String(decoding: got.body, as: UTF8.self) == "{\"name\": \"Fjord\"}")
        #expect(got.header("Host") == "films.example" && got.header("Via") == "1.1 front")
        #expect(got.header("Content-Type") == "application/json" && got.header("If-Match") == "\"7\"")
        #expect(got.header("User-Agent") == "mpv" && got.header("Cookie") == "s=1")
        for name in ["X-Forwarded-Host", "Keep-Alive", "X-Hop"] {
            #expect(got.header(name) == nil, "\(name)")
        }
        await front.stop()
    }

    @Test(
        "has its method and its content",
        arguments: [("OPTIONS", ""), ("POST", "{}"), ("PUT", "new"), ("PATCH", "{}"), ("DELETE", "")])
    func method(_ method: String, content: String) async throws {
        origin.serve("/api", text: "done")
        let reply = try await front.exchange("/api", method: method, body: content)
        #expect(reply.status == 200 && reply.text == "done")
        let got = try #require(origin.requests.first)
        #expect(got.method == method && String(decoding: got.body, as: UTF8.self) == content)
        await front.stop()
    }

    @Test("does not have the fields of nodes if a client has made them up")
    func forged() async throws {
        origin.serve("/api", text: "done")
        let made = [
            "Via: 1.0 other", "Offline-Server-Demand: object", "Offline-Server-Node: a",
            "X-Forwarded-Proto: https",
        ]
        _ = try await front.exchange("/api", fields: made)
        let got = try #require(origin.requests.first)
        let via = got.headers.filter { $0.name.lowercased() == "via" }
        #expect(via.map(\.value) == ["1.1 front"])
        for name in ["Offline-Server-Demand", "Offline-Server-Node", "X-Forwarded-Proto"] {
            #expect(got.header(name) == nil, "\(name)")
        }
        await front.stop()
    }

    @Test("is not passed on with a method that no resource has")
    func unknownMethod() async throws {
        let answer = try await front.exchange("/api", method: "PROPFIND")
        #expect(answer.status == 503 && String(decoding: answer.body, as: UTF8.self) == "method")
        #expect(origin.requests.isEmpty && front.forwarder.counted.passedOn == 0)
        await front.stop()
    }

    @Test("without content has no type that nobody gave it")
    func empty() async throws {
        origin.serve("/api", text: "done")
        _ = try await front.exchange("/api", method: "POST", fields: ["Content-Length: 0"])
        let got = try #require(origin.requests.first)
        #expect(got.header("Content-Type") == nil && got.header("Content-Length") == "0")
        await front.stop()
    }

    @Test("gets the answer as it is: a redirect, a refusal, a range, a validator that still holds")
    func answers() async throws {
        let bytes = OriginResource.pattern(100_000)
        origin.serve("/a.ts", bytes: bytes)
        origin.serve("/b", text: "")
        origin.fault("/b", .redirect(to: "/a.ts", status: 308))
        let whole = try await front.exchange("/a.ts")
        #expect(whole.status == 200 && whole.has(bytes) && whole["Content-Length"] == "100000")
        let part = try await front.exchange("/a.ts", fields: ["Range: bytes=500-599"])
        #expect(part.status == 206 && part.body == Array(bytes[500..<600]))
        #expect(part["Content-Range"] == "bytes 500-599/100000")
        let moved = try await front.exchange("/b")
        #expect(moved.status == 308 && moved["Location"] == "/a.ts")
        #expect(try await front.exchange("/none").status == 404)
        let tag = try #require(whole["ETag"])
        let same = try await front.exchange("/a.ts", fields: ["If-None-Match: \(tag)"])
        #expect(same.status == 304 && same.body.isEmpty)
        let head = try await front.exchange("/a.ts", method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty && head["Content-Length"] == "100000")
        await front.stop()
    }

    @Test(
        "gets an answer that has no body at once, with the length that a validator's answer tells",
        arguments: [204, 304])
    func noBody(status: Int) async throws {
        let length = status == 304 ? "Content-Length: 500\r\n" : ""
        origin.serve("/c", text: "")
        origin.fault("/c", .raw("HTTP/1.1 \(status) None\r\nETag: \"1\"\r\n\(length)\r\n"))
        let answer = try await front.exchange("/c")
        #expect(answer.status == status && answer.body.isEmpty && answer["ETag"] == "\"1\"")
        #expect(
            answer["Content-Length"] == (status == 304 ? "500" : nil) && answer["Transfer-Encoding"] == nil)
        await front.stop()
    }

    @Test("whose answer has no known length gets all of it")
    func chunked() async throws {
        let bytes = OriginResource.pattern(50_000)
        origin.serve("/a.ts", bytes: bytes)
        origin.fault("/a.ts", .chunked)
        let reply = try await front.exchange("/a.ts", fields: ["TE: trailers"])
        #expect(reply.status == 200 && reply["Transfer-Encoding"] == "chunked")
        #expect(reply.body.count > 50_000 && reply.text.hasSuffix("\r\n0\r\n\r\n"))
        await front.stop()
    }

    @Test("whose answer breaks and has no known length does not get an end either")
    func brokenChunks() async throws {
        origin.serve("/a.ts", bytes: OriginResource.pattern(50_000))
        origin.fault("/a.ts", .chunked)
        origin.fault("/a.ts", .truncate(after: 20_000))
        let reply = try await front.exchange("/a.ts")
        #expect(reply.status == 200 && reply["Transfer-Encoding"] == "chunked")
        #expect(reply.body.count < 50_000 && !reply.text.hasSuffix("\r\n0\r\n\r\n"))
        await front.stop()
    }

    @Test("ends at the other server when its client leaves")
    func left() async throws {
        origin.serve("/film.mp4", bytes: OriginResource.pattern(1_000_000))
        origin.fault("/film.mp4", .rate(1000))
        let client = try front.client()
        client.send("GET /film.mp4 HTTP/1.1\r\nHost: films.example\r\n\r\n")
        try await eventually { origin.requests.first?.bytesSent ?? 0 > 0 }
        client.close()
        try await eventually { origin.openConnectionCount == 0 }
        await front.stop()
    }

    @Test("sees a broken answer as broken")
    func broken() async throws {
        origin.serve("/a.ts", bytes: OriginResource.pattern(100_000))
        origin.fault("/a.ts", .truncate(after: 60_000))
        let reply = try await front.exchange("/a.ts")
        #expect(reply.status == 200 && reply["Content-Length"] == "100000" && reply.body.count < 100_000)
        await front.stop()
    }

    @Test("of a slow client makes the other server wait, and loses nothing")
    func slow() async throws {
        let bytes = OriginResource.pattern(24 << 20)
        origin.serve("/film.mp4", bytes: bytes)
        let client = try front.client()
        client.send("GET /film.mp4 HTTP/1.1\r\nHost: films.example\r\nConnection: close\r\n\r\n")
        var last = -1
        // The origin sends until all buffers on the way are full.
        while case let sent = origin.requests.first?.bytesSent ?? 0, sent == 0 || sent != last {
            last = sent
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(last < 20 << 20)
        let reply = try await blocking { Reply(client.readToEnd()) }
        #expect(reply.has(bytes))
        await front.stop()
    }

    @Test("says whether the other server may have carried it out")
    func failures() async throws {
        origin.serve("/api", text: "done")
        origin.fault("/api", .raw(""))
        #expect(try await front.exchange("/api", method: "DELETE").text == "broken")
        origin.stop()
        #expect(try await front.exchange("/api", method: "DELETE").text == "unreachable")
        await front.stop()
    }

    @Test("is given up when the other server is gone, also in its middle")
    func silent() async throws {
        for path in ["/begun", "/silent", "/shared/0.ts"] {
            origin.serve(path, bytes: OriginResource.pattern(200_000))
            origin.fault(path, path == "/begun" ? .stall(after: 1000) : .holdHeader)
        }
        async let begun = front.exchange("/begun")
        async let silent = front.exchange("/silent")
        async let shared = front.exchange("/shared/0.ts")
        try await eventually {
            origin.requests.count == 3 && origin.requests(for: "/begun").first?.bytesSent ?? 0 > 0
        }
        front.forwarder.giveUp()
        #expect(try await silent.status == 503)
        #expect(try await begun.body.count < 200_000)
        // The shared request is sent once more for the client itself.
        try await eventually { origin.requests(for: "/shared/0.ts").count == 2 }
        front.forwarder.giveUp()
        #expect(try await shared.status == 503)
        await front.stop()
    }
}
