import Foundation
import Glibc
import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("The limits", .timeLimit(.minutes(3)))
struct LimitTests {
    private func configuration(_ change: (inout HTTPDaemonConfiguration) -> Void) -> HTTPDaemonConfiguration {
        var configuration = HTTPDaemonConfiguration()
        change(&configuration)
        return configuration
    }

    private func server(_ change: (inout HTTPDaemonConfiguration) -> Void) throws -> TestServer {
        try TestServer(configuration(change)) { .text("\($0.path) \($0.body.count)") }
    }

    @Test("are those of the manual")
    func documented() throws {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let limits = HTTPDaemonConfiguration()
        let sentences = [
            "| \(limits.connectionLimit.formatted(.number.locale(Locale(identifier: "en_US")))), fewer when",
            "| \(limits.headLimit >> 10) KiB, ",
            "KiB, \(limits.headTimeout.components.seconds) s ", "| \(limits.bodyLimit >> 20) MiB, ",
            "MiB, \(limits.bodyTimeout.components.seconds) s ",
            "| \(limits.idleTimeout.components.seconds) s |",
            "| \(ByteRangeHeader.specifierLimit), without gaps",
        ]
        let text = try String(contentsOfFile: "/\(folder)/docs/reference/limits.md", encoding: .utf8)
        for sentence in sentences { #expect(text.contains(sentence), "\(sentence)") }
    }

    @Test(
        "of connections: reserved descriptors stay free, but a quarter of all is for clients",
        arguments: [(1 << 20, 160, 4096), (1024, 160, 864), (1024, 8256, 256), (256, 160, 96), (40, 160, 16)])
    func descriptors(_ all: Int, _ reserved: Int, _ connections: Int) {
        let limits = configuration { $0.reservedDescriptors = reserved }
        #expect(limits.connections(ofDescriptors: all) == connections)
    }

    @Test("of the content: longer is 413, whether the length was told or not")
    func bodyLimit() async throws {
        let server = try server { $0.bodyLimit = 1000 }
        let fits = String(repeating: "x", count: 1000)
        #expect(
            try await server.exchange(
                "PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n\(fits)"
            ).text == "/ 1000")
        #expect(
            try await server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n\(fits)x")
                .status == 413)
        #expect(
            try await server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2001\r\n\r\n").status
                == 413)
        #expect(
            try await server.exchange(
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"
            )
            .status == 413)
        let chunked = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(
            try await server.exchange("\(chunked)3e8\r\n\(fits)\r\n5\r\nxxxxx\r\n0\r\n\r\n").status == 413)
    }

    @Test(
        "of the content: a client that sends slightly too much gets the refusal and no reset of the connection",
        .timeLimit(.minutes(2)))
    func littleTooLong() async throws {
        let server = try server { _ in }
        let count = HTTPDaemonConfiguration().bodyLimit + 1
        let client = try server.client()
        try await blocking {
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
            try client.send([UInt8](repeating: 0x78, count: count))
            let reply = try client.response()
            #expect(reply.status == 413 && reply.header("Connection") == "close")
            #expect(try client.endsWithReset() == false)
        }
    }

    @Test(
        "of the content: a client that sends all of a too long content gets the refusal (RFC 9112, section 9.6)"
    )
    func sentAnyway() async throws {
        let server = try server { $0.bodyLimit = 1000 }
        let content = [UInt8](repeating: 0x78, count: 8_000_000)
        let client = try server.client()
        let reply = try await blocking {
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.count)\r\n\r\n")
            // The connection may end before all of it is sent.
            try? client.send(content)
            return Reply(try client.receiveAll())
        }
        #expect(reply.status == 413)
        #expect(reply.header("Connection") == "close")
        #expect(reply.text.contains(#""status":413"#))
    }

    @Test("of the content: without end the connection is closed")
    func endless() async throws {
        let server = try server { $0.bodyLimit = 1000 }
        let client = try server.client()
        try await blocking {
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "400\r\n" + String(repeating: "x", count: 1024) + "\r\n"
            #expect(throws: RawClient.Failure.self) { while true { try client.send(chunk) } }
        }
    }

    @Test("of the content: Expect gets 100, or at once the refusal")
    func expect() async throws {
        let server = try server { $0.bodyLimit = 1000 }
        let client = try server.client()
        try await blocking {
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try client.send("ab")
            #expect(try client.response().text == "/ 2")
            try client.send(
                "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n")
            #expect(try client.response().status == 413)
        }
    }

    @Test("of time: a header section that does not end is 408, also when bytes keep coming")
    func slowHead() async throws {
        let server = try server { $0.headTimeout = .seconds(3) }
        let client = try server.client()
        let reply = try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
            for _ in 0..<10_000 {
                guard (try? client.send("X: y\r\n")) != nil else { break }
                usleep(50_000)
            }
            return Reply(try client.receiveAll())
        }
        #expect(reply.status == 408 || reply.status == 0)
        let cut = try await server.exchange("GET / HTTP/1.1\r\nHost: a")
        #expect(cut.status == 408)
        #expect(cut.header("content-type") == "application/problem+json")
        #expect(cut.header("x-content-type-options") == "nosniff")
        #expect(cut.header("date").flatMap { HTTPDate($0, now: HTTPDate(seconds: 0)) } != nil)
        #expect(cut.text.contains(#""status":408"#))
    }

    @Test("of time: a silent connection is closed")
    func silent() async throws {
        let server = try server { $0.headTimeout = .milliseconds(100) }
        #expect(try await server.exchange("").statusLine == "")
    }

    @Test("of time: a content that does not end is 408")
    func slowBody() async throws {
        let server = try server { $0.bodyTimeout = .milliseconds(100) }
        #expect(
            try await server.exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab").status
                == 408)
    }

    @Test("of time: a connection may rest longer between requests, and the next head has its limit again")
    func keepAlive() async throws {
        // A test that is kept from running for a moment is not too slow.
        let server = try server { $0.headTimeout = .seconds(3) }
        let client = try server.client()
        try await blocking {
            for pause: UInt32 in [4_000_000, 2_000_000] {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.response().text == "/ 0")
                usleep(pause)
            }
            try client.send("GET / HTTP/1.1\r\n")
            #expect(Reply(try client.receiveAll()).status == 408)
        }
    }

    @Test("of time: a resting connection is closed in the end")
    func idle() async throws {
        let server = try server { $0.idleTimeout = .seconds(1) }
        #expect(try await server.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "/ 0")
    }

    @Test("protect other clients from 300 half-open and 100 slowly reading ones")
    func halfOpen() async throws {
        let large = try #require(
            PreparedResponse(Response(status: .ok, body: .bytes([UInt8](repeating: 1, count: 8_000_000)))))
        let patient = configuration { $0.headTimeout = .seconds(600) }
        let server = try TestServer(patient) { $0.path == "/large" ? .prepared(large) : .text("ok") }
        let half = try (0..<300).map { _ in try server.client() }
        for client in half { try client.send("GET / HTTP/1.1\r\nHo") }
        let slow = try (0..<100).map { _ in try server.client(receiveBuffer: 4096) }
        for client in slow { try client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n") }
        for _ in 0..<100 { #expect(try await server.get("/").text == "ok") }
        try await blocking {
            for client in slow { #expect(try client.receive(until: "HTTP/1.1 200") == "HTTP/1.1 200") }
            for client in half {
                try client.send("st: a\r\n\r\n")
                #expect(try client.response().text == "ok")
            }
        }
    }

    @Test("let 1,000 connections rest, and answer each of them again")
    func thousand() async throws {
        let patient = configuration { $0.headTimeout = .seconds(600) }
        let server = try TestServer(patient) { _ in .text("ok") }
        let clients = try (0..<1000).map { _ in try server.client() }
        try await blocking {
            for _ in 0..<2 {
                for client in clients {
                    try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try client.response().text == "ok")
                }
                #expect(server.daemon.connectionCount == 1000)
            }
        }
    }

    @Test("of threads: one serves all connections, also if none is asked for", arguments: [0, 1])
    func threads(count: Int) async throws {
        // Of more threads than connections, each would have one connection at most.
        let limits = configuration { ($0.threads, $0.connectionLimit) = (count, 16) }
        let serving = Lock<Set<pthread_t>>([])
        let server = try TestServer(limits) { _ in
            _ = serving.withLock { $0.insert(pthread_self()) }
            return .text("ok")
        }
        let clients = try (0..<16).map { _ in try server.client() }
        try await blocking {
            for client in clients {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.response().text == "ok")
            }
        }
        #expect(serving.withLock(\.count) == 1)
    }

    @Test("of connections from one address: those over it are closed, until one of the others is")
    func neighbors() async throws {
        let server = try server { $0.addressConnectionLimit = 4 }
        var clients: [RawClient] = []
        for _ in 0..<4 {
            let client = try server.client()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try client.response() }
            clients.append(client)
        }
        #expect(try await server.get("/").statusLine == "")
        clients.removeLast()
        while try await server.get("/").text != "/ 0" { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("of connections: those over it wait until one is closed")
    func connections() async throws {
        let server = try server {
            $0.connectionLimit = 16
            $0.threads = 1
        }
        var clients: [RawClient] = []
        for _ in 0..<16 {
            let client = try server.client()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await blocking { try client.response() }
            clients.append(client)
        }
        let waiting = try server.client()
        try waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        clients.removeLast()
        #expect(try await blocking { try waiting.response().text } == "/ 0")
    }
}
