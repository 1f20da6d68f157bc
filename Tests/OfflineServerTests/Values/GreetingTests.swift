import AssetStore
import HTTPDaemon
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The greeting of a server")
struct GreetingTests {
    private let demo = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("for this machine only has its address, and that of the demo")
    func local() {
        var greeting = Greeting(url: "http://127.0.0.1:8090", otherURLs: ["http://192.168.1.5:8090"])
        #expect(greeting.notes.isEmpty && greeting.addresses.isEmpty)
        greeting.demo = demo
        #expect(greeting.notes.count == 1)
        #expect(greeting.notes[0].contains("http://127.0.0.1:8090/assets/\(demo)/master.m3u8"))
    }

    @Test("for other machines has this machine's addresses there, with the token")
    func open() {
        var greeting = Greeting(url: "http://127.0.0.1:8090", isOpen: true)
        greeting.otherURLs = ["http://192.168.1.5:8090", "http://10.0.0.2:8090"]
        (greeting.token, greeting.tokenFile, greeting.demo) = ("abc", "/s/api-token", demo)
        #expect(greeting.addresses == ["http://192.168.1.5:8090/t/abc/", "http://10.0.0.2:8090/t/abc/"])
        #expect(
            greeting.notes[0]
                == "from other machines: http://192.168.1.5:8090/t/abc/ or http://10.0.0.2:8090/t/abc/")
        #expect(greeting.notes[1].hasPrefix("every request must show the token in /s/api-token: "))
        #expect(greeting.notes[2].contains("http://192.168.1.5:8090/t/abc/assets/"))
    }

    @Test("to a journal has no token, and names its file")
    func journal() {
        var greeting = Greeting(url: "http://127.0.0.1:8090", isOpen: true)
        (greeting.otherURLs, greeting.tokenFile) = (["http://192.168.1.5:8090"], "/s/api-token")
        #expect(greeting.notes[0] == "from other machines: http://192.168.1.5:8090/")
        #expect(
            greeting.notes[1]
                == "players must put /t/TOKEN in front of each path; the token is in /s/api-token")
    }

    @Test("without a network says so, and has the demo for this machine")
    func noNetwork() {
        var greeting = Greeting(url: "http://127.0.0.1:8090", isOpen: true)
        (greeting.token, greeting.tokenFile, greeting.demo) = ("abc", "/s/api-token", demo)
        #expect(greeting.addresses.isEmpty && greeting.notes[0].contains("`ip address`"))
        #expect(greeting.notes[2].contains("http://127.0.0.1:8090/t/abc/assets/"))
    }

    private static let addresses = [
        LocalAddress(interface: "lo", host: "127.0.0.1"),
        LocalAddress(interface: "docker0", host: "172.17.0.1"),
        LocalAddress(interface: "eth0", host: "192.168.1.5"),
        LocalAddress(interface: "eth0", host: "fe80::1"),
        LocalAddress(interface: "eth0", host: "2001:db8::5"),
        LocalAddress(interface: "eth1", host: "169.254.3.4"),
    ]

    @Test(
        "names the addresses of the family that it listens to, and none that no other machine knows",
        arguments: [
            ("0.0.0.0", ["192.168.1.5"]), ("::", ["2001:db8::5"]), ("192.168.1.5", ["192.168.1.5"]),
            ("172.17.0.1", ["172.17.0.1"]), ("10.9.9.9", []),
        ])
    func reachable(_ host: String, _ expected: [String]) {
        #expect(LocalAddress.reachable(Self.addresses, listeningAt: host).map(\.host) == expected)
    }

    @Test("names addresses of containers' bridges if there are no others")
    func bridges() {
        let inner = Array(Self.addresses.prefix(2))
        #expect(LocalAddress.reachable(inner, listeningAt: "0.0.0.0").map(\.host) == ["172.17.0.1"])
    }
}
