import Testing

@testable import HTTPDaemon

@Suite("The addresses of a machine")
struct LocalAddressTests {
    private let addresses = [
        LocalAddress(interface: "lo", host: "127.0.0.1"), LocalAddress(interface: "lo", host: "::1"),
        LocalAddress(interface: "eth0", host: "10.0.0.2"), LocalAddress(interface: "eth0", host: "fe80::2"),
        LocalAddress(interface: "eth0", host: "2001:db8::2"),
        LocalAddress(interface: "eth1", host: "10.1.0.2"),
        LocalAddress(interface: "eth1", host: "169.254.1.2"),
        LocalAddress(interface: "br-1", host: "172.18.0.1"),
    ]

    @Test("are numeric, and have the loopback address among them")
    func all() {
        let all = LocalAddress.all
        #expect(all.contains(LocalAddress(interface: "lo", host: "127.0.0.1")))
        for address in all {
            #expect(SocketAddress(address.host, port: 0)?.host == address.host)
            #expect(address.isIPv6 == address.host.contains(":"))
        }
    }

    @Test(
        "by which others reach a server on all of them are those of its family, in order, without local ones",
        arguments: [("0.0.0.0", ["10.0.0.2", "10.1.0.2"]), ("::", ["2001:db8::2"])])
    func every(host: String, reachable: [String]) {
        #expect(LocalAddress.reachable(addresses, listeningAt: host).map(\.host) == reachable)
    }

    @Test("by which others reach a server on all of them may be those of bridges to containers only")
    func bridges() {
        let inner = addresses.filter { ["lo", "br-1"].contains($0.interface) }
        #expect(LocalAddress.reachable(inner, listeningAt: "0.0.0.0").map(\.host) == ["172.18.0.1"])
    }

    @Test(
        "by which others reach a server on one of them are that one, whatever it is",
        arguments: ["127.0.0.1", "10.1.0.2", "172.18.0.1", "fe80::2"])
    func one(host: String) {
        #expect(LocalAddress.reachable(addresses, listeningAt: host).map(\.host) == [host])
    }
}
