import AssetStore
import Foundation
import HTTPDaemon
import TestSupport
import Testing

@testable import OfflineServer

/// Connections are shared by the number of descriptors of the process.
@Suite("One address of the network", .fewAtOnce, .timeLimit(.minutes(2)))
struct ServerLimitsTests {
    private func limits(_ host: String) -> HTTPDaemonConfiguration {
        var configuration = PlaybackServer.Configuration()
        configuration.address = ListenAddress(host: host, port: 0)
        return PlaybackServer.limits(of: configuration)
    }

    @Test("has at most a quarter of the connections, and on loopback all of them")
    func share() {
        for host in ["0.0.0.0", "::", "192.0.2.1"] {
            let shared = limits(host)
            #expect(shared.addressConnectionLimit == shared.possibleConnections / 4, "\(host)")
        }
        for host in ["127.0.0.1", "127.0.0.2", "::1"] {
            #expect(limits(host).addressConnectionLimit == nil, "\(host)")
        }
    }

    @Test("leaves the open files that the engine needs, and those of the server itself")
    func reserved() {
        var policy = EnginePolicy()
        for (transfers, kept) in [(1, 128), (32, 128), (33, 130), (64, 192)] {
            (policy.maximumDownloads, policy.transfersPerAsset) = (1, transfers)
            let limits = PlaybackServer.limits(of: PlaybackServer.Configuration(), policy)
            #expect(limits.reservedDescriptors == kept, "\(transfers)")
        }
    }

    @Test("has a quarter, too, of the few connections of a server that may open few files")
    func fewFiles() async throws {
        let program = try Program()
        let server = try await program.start(
            ["serve", "--json", "--listen", "0.0.0.0:0"], under: ["prlimit", "--nofile=160"])
        let ready = try Program.Ready(await server.line(0))
        let clients = try await blocking {
            try (0..<14).map { _ in
                let client = try RawHTTPClient(port: ready.port)
                client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                return (client, client.readResponse().head)
            }
        }
        let answered = clients.map { _, head in !head.isEmpty }
        // A quarter of 160 files is for connections.
        #expect(answered == [Bool](repeating: true, count: 10) + [false, false, false, false])
        try await server.stop()
    }
}
