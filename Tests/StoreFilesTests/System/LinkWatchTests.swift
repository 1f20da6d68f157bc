import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

/// What the kernel announces of links and routes, in a network of the test's own.
@Suite(.timeLimit(.minutes(1)))
struct LinkWatchTests {
    /// Whether networks can be made here, which takes root's rights and `ip`.
    private static var canMakeNetworks: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip")
    }

    @Test(
        "an interface that comes, gets a route, and goes is heard each time",
        .enabled(if: canMakeNetworks, "networks can't be made"))
    func changes() async throws {
        let heard = Lock(0)
        let outcome: Result<[Int], any Error> = await withCheckedContinuation { continuation in
            // A network belongs to a thread, and what it starts.
            Thread {
                continuation.resume(returning: Result { try Self.walk(heard) })
            }.start()
        }
        let counts = try outcome.get()
        guard !counts.isEmpty else { return }
        #expect(counts == counts.sorted() && Set(counts).count == counts.count)
    }

    /// Gives the calling thread a network of its own: `unshare(CLONE_NEWNET)`, which the Glibc module leaves out.
    private static func enterNewNetwork() -> Bool {
        guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
        let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        return unshare(0x4000_0000) == 0
    }

    /// - Returns: how much was heard before each change and after the last one; nothing where there is no new network.
    private static func walk(_ heard: Lock<Int>) throws -> [Int] {
        guard enterNewNetwork() else { return [] }
        let watch = LinkWatch { heard.withLock { $0 += 1 } }
        guard watch != nil else { throw StoreError(.stopped(.closing)) }
        var counts = [0]
        let steps = [
            ["link", "set", "lo", "up"], ["route", "add", "10.7.0.0/24", "dev", "lo"],
            ["link", "set", "lo", "down"],
        ]
        for step in steps {
            guard try ChildProcess("/usr/sbin/ip", step).wait() == 0 else {
                throw StoreError(.stopped(.closing))
            }
            while heard.withLock(\.self) <= counts[counts.count - 1] { usleep(5000) }
            // Changes within a moment count as one.
            usleep(100_000)
            counts.append(heard.withLock(\.self))
        }
        withExtendedLifetime(watch) {}
        return counts
    }

    @Test("an interface without a carrier leads nowhere, though the tables still have its routes")
    func carrier() {
        let table = "Iface\tDestination\tGateway\neth0\t00000000\t0100A8C0\n"
        #expect(!EngineConditions.hasRoute(ipv4: table, ipv6: "") { $0 != "eth0" })
        #expect(EngineConditions.hasRoute(ipv4: table, ipv6: "") { $0 == "eth0" })
        #expect(!EngineConditions.hasRoute(ipv4: "x\n", ipv6: "20010000 40 00 00 eth0") { $0 != "eth0" })
    }
}
