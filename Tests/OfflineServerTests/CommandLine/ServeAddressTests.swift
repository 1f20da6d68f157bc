import Foundation
import TestSupport
import Testing

@testable import HTTPDaemon
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("serve with an address", .fewAtOnce, .timeLimit(.minutes(2)))
struct ServeAddressTests {
    @Test("ends with 1 for a port in use, names its process and the remedy, and leaves no store")
    func portInUse() async throws {
        let other = try OriginServer()
        let folder = try TemporaryDirectory()
        let program = try Program()
        let store = folder.file("store")
        let outcome = try await program.run("serve", "--listen", "127.0.0.1:\(other.port)", "--store", store)
        #expect(outcome.status == 1)
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
        #expect(
            outcome.errors
                == "offline-server: port \(other.port) of 127.0.0.1 is in use by process \(getpid()) (\(name)); end it, "
                + "or choose another port with --listen 127.0.0.1:PORT, where port 0 picks a free one\n")
        #expect(!FileManager.default.fileExists(atPath: store))
        other.stop()
    }

    @Test("a port that is taken leaves a folder that is there already empty")
    func emptyFolder() async throws {
        let other = try OriginServer()
        let program = try Program()
        #expect(try await program.run("serve", "--listen", "127.0.0.1:\(other.port)").status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.store.path).isEmpty)
        other.stop()
    }

    @Test("reports first that another server works on the store, also if its port is in use, too")
    func inUse() async throws {
        let program = try Program()
        try await program.serving { ready in
            let second = try await program.run("serve", "--listen", "127.0.0.1:\(ready.port)")
            #expect(second.status == 75)
        }
    }

    @Test("speaks of another program if the port's process can't be seen")
    func unseen() {
        let address = ListenAddress(host: "::1", port: 8090)
        let sentence = CommandFailure.portInUse(address, by: nil)
        #expect(sentence.contains("in use by another program;") && sentence.contains("--listen [::1]:PORT"))
    }

    @Test("sockets that listen on a port are found in the kernel's tables, and no others")
    func tables() {
        let tables = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F9A 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
               1: 0100007F:1F9A 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
               2: 00000000:1F9B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
               3: 00000000000000000000000001000000:1F9A 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 4714 1
               4: 00000000:1F9A 00000000:0000 0A 0:0 0:0 0 0 0
               5: 00000000:1F9A 00000000:0000 0A 0:0 0:0 0 0 0 4715
            """
        #expect(PortHolder.sockets(listeningOn: 8090, in: tables) == ["4711", "4714", "4715"])
    }

    /// Addresses by which other machines would reach this one; empty without a network.
    private static let others = LocalAddress.reachable(LocalAddress.all, listeningAt: "0.0.0.0")

    @Test(
        "with --lan, the addresses that it prints for other machines answer there, the demo's, too",
        .enabled(if: !others.isEmpty, "this machine is in no network"))
    func otherMachines() async throws {
        let program = try Program()
        let server = try await program.start(["serve", "--lan", "--demo", "--listen", "127.0.0.1:0"])
        let greeting = try await server.line(0)
        #expect(greeting.hasPrefix("listening on http://127.0.0.1:"))
        while try !server.errors().contains("master.m3u8,") {
            try await Task.sleep(for: .milliseconds(10))
        }
        let lines = try server.errors().split(separator: "\n")
        let page = try #require(lines[0].split(separator: " ").last)
        #expect(lines[0].hasPrefix("from other machines: http://\(Self.others[0].host):"))
        let demo = try #require(
            lines.flatMap { $0.split(separator: " ") }.first { $0.hasSuffix("master.m3u8,") }?.dropLast())
        let probe = try await program.run("probe", String(demo))
        #expect(probe.status == 0 && probe.output.contains("can be downloaded"), "\(probe.errors)")
        let parts = page.split(separator: "/", maxSplits: 2)
        let port = try #require(UInt16(greeting.split(separator: ":").last ?? ""))
        let head = try await blocking {
            let client = try RawHTTPClient(port: port)
            client.send("GET /\(parts[2]) HTTP/1.1\r\nHost: \(parts[1])\r\n\r\n")
            return client.readResponse().head
        }
        #expect(head.hasPrefix("HTTP/1.1 200 "), "\(head)")
        #expect(try await server.stop().output == greeting + "\n")
    }

    @Test("shows neither the token nor a code to sign in if a journal that others may read takes its output")
    func journal() async throws {
        let program = try Program()
        let words = ["serve", "--lan", "--json", "--listen", "127.0.0.1:0"]
        // The journal is known by the device and the inode of the messages' file.
        for (inode, isTaken) in [("%i", true), ("0", false)] {
            let script =
                "export JOURNAL_STREAM=$(stat -Lc %d:\(inode) /proc/$$/fd/2); exec \"$@\""
            let server = try await program.start(words, under: ["sh", "-c", script, "sh"])
            let object = Outcome.object(try await server.line(0))
            #expect((object["sign_in_code"] is NSNull) == isTaken, "\(object)")
            let addresses = try #require(object["addresses"] as? [String])
            #expect(addresses.allSatisfy { $0.contains("/t/") != isTaken }, "\(addresses)")
            try await server.stop()
        }
    }

    @Test("with --lan and --json, they are members of the one object")
    func addresses() async throws {
        let program = try Program()
        let server = try await program.start(["serve", "--lan", "--json", "--listen", "127.0.0.1:0"])
        let object = Outcome.object(try await server.line(0))
        let addresses = try #require(object["addresses"] as? [String])
        #expect(addresses.count == Self.others.count)
        #expect(addresses.allSatisfy { $0.contains("/t/") })
        #expect(Set(["url", "port", "pid", "store"]).isSubset(of: object.keys))
        try await server.stop()
    }
}
