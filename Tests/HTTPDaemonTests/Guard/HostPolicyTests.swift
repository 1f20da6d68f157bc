import HTTPDaemon
import Testing

@Suite("The Host policy")
struct HostPolicyTests {
    let policy = HostPolicy.loopback(port: 8090, and: ["192.168.1.5", "FE80::1"])

    @Test(
        "answers to its own names at its own port",
        arguments: [
            "localhost:8090", "LOCALHOST:8090", "127.0.0.1:8090", "[::1]:8090", "192.168.1.5:8090",
            "[fe80::1]:8090",
            "[FE80::1]:8090", "localhost:08090",
        ])
    func own(authority: String) { #expect(policy.permits(authority)) }

    @Test(
        "refuses every other name",
        arguments: [
            "evil.test:8090", "evil.test", "localhost", "127.0.0.1", "localhost:80", "localhost:8091",
            "localhost:",
            "localhost.:8090", "localhost.evil.test:8090", "127.0.0.1.evil.test:8090",
            "evil.test:8090@localhost",
            "user@localhost:8090", "127.1:8090", "0x7f.1:8090", "2130706433:8090", "[::ffff:127.0.0.1]:8090",
            "::1:8090",
            "[::1]", "[::1]8090", "", ":8090", " localhost:8090", "localhost:8090 ", "localhost:8090:8090",
            "localhost:65536", "localhost:+8090", "localhost:-1", "local%68ost:8090", "localhost/:8090",
        ])
    func other(authority: String) { #expect(!policy.permits(authority)) }

    @Test("refuses a request without a name")
    func none() { #expect(!policy.permits(nil)) }

    @Test("needs no port when it is 80")
    func port80() {
        #expect(HostPolicy.loopback(port: 80).permits("localhost"))
        #expect(HostPolicy.loopback(port: 80).permits("localhost:80"))
        #expect(!HostPolicy.loopback(port: 80).permits("localhost:8090"))
    }
}
