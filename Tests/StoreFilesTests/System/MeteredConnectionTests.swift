import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles

/// Finding out whether the connection is metered (paid by volume).
struct MeteredConnectionTests {
    @Test("NetworkManager's answer counts, by each way of asking it")
    func answers() async throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "bus")
        for (answer, isMetered) in [("u 1", true), ("u 3", true), ("u 4", false), ("(<uint32 1>,)", true)] {
            let connection = MeteredConnection(
                interfaces: [], bus: FilePath(folder.file("bus")),
                questions: [["/no/such/program"], ["false"], ["echo", answer]])
            #expect(!connection.isMetered)
            await connection.look()
            #expect(connection.isMetered == isMetered, "\(answer)")
        }
    }

    @Test("without a bus, or an answer, nothing costs and no program is started")
    func silence() async throws {
        let folder = try TemporaryDirectory()
        let mark = folder.file("mark")
        let connection = MeteredConnection(
            interfaces: [], bus: FilePath(folder.file("bus")), questions: [["touch", mark]])
        await connection.look()
        #expect(!connection.isMetered && !FileManager.default.fileExists(atPath: mark))
        #expect(MeteredConnection.verdict("") == nil && MeteredConnection.verdict("u 9") == nil)
    }

    @Test("NetworkManager is not asked again at once, also if it gave no answer")
    func askedOnce() async throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "bus")
        let question = ["sh", "-c", "echo >>\(folder.file("asked")); exit 1"]
        let connection = MeteredConnection(
            interfaces: [], bus: FilePath(folder.file("bus")), questions: [question])
        for _ in 0..<3 { await connection.look() }
        #expect(try folder.read("asked").count == 1 && !connection.isMetered)
    }

    @Test("an interface is told by its name or its beginning")
    func interfaces() {
        #expect(MeteredConnection.matches("wwan0", ["usb0", "wwan*"]))
        #expect(MeteredConnection.matches("usb0", ["usb0"]))
        #expect(!MeteredConnection.matches("usb01", ["usb0"]))
        #expect(!MeteredConnection.matches("eth0", []))
    }

    @Test("the default route with the lowest metric says which interface leads out")
    func routes() {
        let ipv4 = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask
            wwan0\t00000000\t0100A8C0\t0003\t0\t0\t700\t00000000
            eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000
            eth1\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF
            """
        #expect(DefaultRoute.best(ipv4: ipv4, ipv6: "")?.interface == "eth0")
        let equal = ipv4.replacing("100\t0", with: "700\t0")
        #expect(DefaultRoute.best(ipv4: equal, ipv6: "")?.interface == "wwan0")
        let zeros = String(repeating: "0", count: 32)
        let ipv6 = "\(zeros) 00 \(zeros) 00 \(zeros) 00000400 00000001 00000000 00000003     usb0"
        let rejected = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo"
        #expect(DefaultRoute.best(ipv4: "", ipv6: ipv6 + "\n" + rejected)?.interface == "usb0")
        #expect(DefaultRoute.best(ipv4: "", ipv6: "") == nil)
    }

    @Test("the machine's own routes, routes to one network, and incomplete lines do not count")
    func otherRoutes() {
        func ipv4(_ interface: String, _ destination: String, _ mask: String) -> String {
            "\(interface) \(destination) 0100A8C0 0003 0 0 100 \(mask)"
        }
        let (all, some) = ("00000000", "0000A8C0")
        #expect(DefaultRoute.best(ipv4: ipv4("eth0", all, all), ipv6: "")?.interface == "eth0")
        for line in [
            ipv4("lo", all, all), ipv4("eth0", some, all), ipv4("eth0", all, some), "eth0 \(all) 0 0 0 0 1",
        ] {
            #expect(DefaultRoute.best(ipv4: line, ipv6: "") == nil)
        }
        let zeros = String(repeating: "0", count: 32)
        let other = "2" + zeros.dropFirst()
        func ipv6(_ interface: String, _ destination: String, _ length: String) -> String {
            "\(destination) \(length) \(zeros) 00 \(zeros) 00000400 00000001 00000000 00000003 \(interface)"
        }
        #expect(DefaultRoute.best(ipv4: "", ipv6: ipv6("usb0", zeros, "00"))?.interface == "usb0")
        let none = [
            ipv6("lo", zeros, "00"), ipv6("usb0", other, "00"), ipv6("usb0", zeros, "40"),
            ipv6("", zeros, "00"),
        ]
        for line in none { #expect(DefaultRoute.best(ipv4: "", ipv6: line) == nil) }
        let both = DefaultRoute.best(ipv4: ipv4("eth0", all, all), ipv6: ipv6("usb0", zeros, "00"))
        #expect(both?.interface == "eth0")
    }

    @Test("NetworkManager's numbers 1 and 3 mean a metered connection; other texts mean nothing")
    func verdicts() {
        let verdicts = (0...5).map { MeteredConnection.verdict("u \($0)") }
        #expect(verdicts == [false, true, false, true, false, nil])
        #expect(MeteredConnection.matches("eth0", ["eth*"]) && !MeteredConnection.matches("eth", ["eth0*"]))
    }
}
