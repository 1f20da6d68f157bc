import TestSupport
import Testing

@testable import Transfers

@Suite("Address policy")
struct AddressPolicyTests {
    @Test(
        "an address is classed by its network",
        arguments: [
            ("93.184.216.34", IPAddress.Reach.global), ("2606:4700::1", .global), ("172.32.0.1", .global),
            ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
            ("::ffff:127.0.0.1", .loopback), ("::127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback),
            ("2002:7f00:1::", .loopback), ("10.1.2.3", .privateNetwork), ("172.16.0.1", .privateNetwork),
            ("172.31.255.255", .privateNetwork), ("192.168.1.1", .privateNetwork),
            ("100.64.0.1", .privateNetwork),
            ("fd12::1", .privateNetwork), ("fec0::1", .privateNetwork), ("169.254.1.1", .linkLocal),
            ("fe80::1%eth0", .linkLocal), ("169.254.169.254", .metadata),
            ("::ffff:169.254.169.254", .metadata),
            ("fd00:ec2::254", .metadata), ("100.100.100.200", .metadata), ("0.0.0.0", .unspecified),
            ("0.1.2.3", .unspecified), ("::", .unspecified), ("224.0.0.1", .reserved),
            ("255.255.255.255", .reserved),
            ("ff02::1", .reserved),
        ])
    func reach(text: String, reach: IPAddress.Reach) throws {
        #expect(try #require(IPAddress(text)).reach == reach)
    }

    @Test(
        "a name or a number in another spelling is no address",
        arguments: ["localhost", "0x7f.1", "1.2.3", "", "[]"])
    func notAnAddress(text: String) { #expect(IPAddress(text) == nil) }

    @Test("private addresses need leave; metadata and multicast get none")
    func policy() throws {
        let strict = AddressPolicy(allowsPrivateAddresses: false, refusedLocalPorts: [])
        let lenient = AddressPolicy(allowsPrivateAddresses: true, refusedLocalPorts: [8080])
        let loopback = try #require(IPAddress("127.0.0.1"))
        let lan = try #require(IPAddress("192.168.1.9"))
        let metadata = try #require(IPAddress("169.254.169.254"))
        #expect(!strict.allows(loopback, port: 80))
        #expect(!strict.allows(lan, port: 80))
        #expect(lenient.allows(loopback, port: 80))
        #expect(!lenient.allows(loopback, port: 8080))
        #expect(lenient.allows(lan, port: 8080))
        #expect(!lenient.allows(metadata, port: 80))
    }

    @Test(
        "however loopback is spelled, a request without leave opens no connection",
        arguments: [
            "127.0.0.1", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]",
        ])
    func spellings(host: String) async throws {
        let fixture = try Fixture()
        let code = await fixture.failure(
            of: TransferRequest(url: "http://\(host):\(fixture.origin.port)/a.ts"))
        #expect(code == .addressRefused)
        #expect(fixture.origin.connectionCount == 0)
    }

    @Test("a connection made with leave is not used by a request without")
    func reusedConnection() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: [1])
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == nil)
        #expect(
            await fixture.failure(of: TransferRequest(url: fixture.origin.url("/a.ts"))) == .addressRefused)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test("the server's own port is never asked, with leave for loopback too")
    func ownPort() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.loop.refusedLocalPorts = [fixture.origin.port]
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .addressRefused)
        #expect(fixture.origin.connectionCount == 0)
    }

    @Test("a redirect to the metadata address is refused")
    func metadataRedirect() async throws {
        let fixture = try Fixture()
        fixture.origin.fault("/a.ts", .redirect(to: "http://169.254.169.254/latest/"))
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .addressRefused)
    }

    @Test("a proxy is not asked for a private address without leave")
    func throughProxy() async throws {
        let fixture = try Fixture()
        var request = TransferRequest(url: "http://169.254.169.254/latest/")
        request.proxy = fixture.origin.url("")
        #expect(await fixture.failure(of: request) == .addressRefused)
        #expect(fixture.origin.connectionCount == 0)
    }
}
