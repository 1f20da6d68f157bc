import Testing

@testable import OfflineServer

@Suite("The settings of a server")
struct ServerSettingTests {
    @Test("are usually for this machine alone, on one port, without the token")
    func usual() {
        let usual = PlaybackServer.Configuration()
        #expect(usual.address == ListenAddress(host: "127.0.0.1", port: 8090))
        #expect(!usual.fallsBackToFreePort)
        #expect(!usual.requiresToken && !usual.demandsToken)
    }

    @Test(
        "demand the token where other machines can reach the server, and where it is required",
        arguments: [
            ("127.0.0.1", false), ("127.1.2.3", false), ("::1", false), ("192.0.2.1", true), ("::", true),
            ("0.0.0.0", true), ("128.0.0.1", true),
        ])
    func token(host: String, isDemanded: Bool) {
        var configuration = PlaybackServer.Configuration()
        configuration.address = ListenAddress(host: host, port: 0)
        #expect(configuration.demandsToken == isDemanded)
        configuration.requiresToken = true
        #expect(configuration.demandsToken)
    }

    @Test("have an address whose host loses its brackets in pairs only")
    func brackets() {
        #expect(ListenAddress("[fd00::1]:80")?.host == "fd00::1")
        #expect(ListenAddress("[fd00::1:80")?.host == "[fd00::1")
        #expect(ListenAddress("fd00::1]:80")?.host == "fd00::1]")
        #expect(ListenAddress(host: "fd00::1", port: 80).description == "[fd00::1]:80")
        #expect(ListenAddress(host: "fd00::1", port: 80).urlHost == "[fd00::1]")
    }

    @Test("say whether an address stands for all of the machine's")
    func everyOne() {
        for (host, isEveryOne) in [("0.0.0.0", true), ("::", true), ("::1", false), ("10.0.0.1", false)] {
            #expect(ListenAddress(host: host, port: 1).isEveryOne == isEveryOne, "\(host)")
        }
        #expect(PlaybackServer.otherAddresses(ListenAddress(host: "127.0.0.1", port: 1), port: 1).isEmpty)
    }

    @Test(
        "are refused with what is wrong with the address: its form, or the range of its port",
        arguments: [
            ("", false), ("127.0.0.1:", false), ("127.0.0.1:x", false), ("127.0.0.1:-1", false),
            ("127.0.0.1:65536", true), ("99999", true),
        ])
    func fault(text: String, isOutOfRange: Bool) {
        #expect(ListenAddress(text) == nil)
        let sentence = ListenAddress.fault(text)
        #expect(sentence.contains("is out of range") == isOutOfRange)
        #expect(sentence.contains("wants ADDRESS:PORT") == !isOutOfRange)
    }
}
