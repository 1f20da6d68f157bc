import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("The watch of a daemon", .timeLimit(.minutes(2)))
struct WatchTests {
    @Test("ends when it is told to")
    func end() async throws {
        let watch = Watch(limits: HTTPDaemonConfiguration(), tooSlow: Response(problem: .tooSlow))
        let hasEnded = Lock(false)
        WorkerThread.detach {
            watch.run()
            hasEnded.withLock { $0 = true }
        }
        watch.stop()
        try await eventually { hasEnded.withLock(\.self) }
    }

    @Test("finds a client that is too slow while another is sent an answer that has rested before")
    func slowClient() async throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.headTimeout = .seconds(3)
        let source = GrowingSource()
        let server = try TestServer(configuration) { _ in .stream(source) }
        let receiver = try server.client(receiveBuffer: 4096)
        try receiver.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually { source.reads > 0 }
        // More than the kernel takes: it is being sent until its client receives it.
        source.append([UInt8](repeating: 1, count: 30_000_000))
        try await eventually { source.reads > 1 }
        #expect(try await server.exchange("GET / HTTP/1.1\r\nHost: a").status == 408)
        let head = try await blocking { try receiver.receive(until: "\r\n\r\n") }
        #expect(head.hasPrefix("HTTP/1.1 200"))
    }
}
