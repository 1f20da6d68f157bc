import Testing

@testable import OfflineServer

@Suite("The URL of a node")
struct NodeURLTests {
    @Test(
        "is a scheme, a host and a port",
        arguments: [
            ("http://films-1.example:8090", "http://films-1.example:8090"),
            ("https://films-1.example/", "https://films-1.example"),
            ("HTTP://10.0.0.3:1", "http://10.0.0.3:1"), ("http://[fd00::3]:65535", "http://[fd00::3]:65535"),
            ("http://[::ffff:10.0.0.3]:80", "http://[::ffff:10.0.0.3]:80"),
        ])
    func good(_ text: String, _ url: String) throws {
        #expect(try NodeURL(text).text == url)
    }

    @Test(
        "is refused with what is wrong, and what to write",
        arguments: [
            ("films-1.example:8090", NodeURL.Fault.scheme), ("ftp://films-1.example", .scheme), ("", .scheme),
            ("http://me@films-1.example", .user), ("http://me:secret@films-1.example:8090", .user),
            ("http://films-1.example:8090/films", .path), ("http://films-1.example//", .path),
            ("http://films-1.example?x=1", .path), ("http://films-1.example#x", .path),
            ("http://", .host), ("http://:8090", .host), ("http://films 1:8090", .host),
            ("http://[]:1", .host), ("http://[abc]:1", .host), ("http://[::zz]:1", .host),
            ("http://f\u{ED}lms:1", .host), ("http://[fd00::3]80", .port),
            ("http://films-1.example:0", .port), ("http://films-1.example:65536", .port),
            ("http://films-1.example:", .port), ("http://films-1.example:+80", .port),
            ("http://fd00::3:8090", .port), ("http://0.0.0.0:8090", .everyAddress),
            ("http://[::]:8090", .everyAddress),
        ])
    func bad(_ text: String, _ fault: NodeURL.Fault) {
        #expect(throws: fault) { try NodeURL(text) }
        let sentence = fault.sentence(about: "--node-url")
        #expect(sentence.hasPrefix("--node-url ") && sentence.hasSuffix("http://films-1.example:8090."))
    }

    @Test("can't be reached from other machines when the node listens on loopback and the name is not")
    func loopback() throws {
        let name = try NodeURL(hostName: "films-1", port: 8090)
        let loopback = ListenAddress(host: "127.0.0.1", port: 8090)
        #expect(PlaybackServer.warning(of: name, listeningAt: loopback)?.contains("--lan") == true)
        #expect(
            PlaybackServer.warning(of: name, listeningAt: ListenAddress(host: "0.0.0.0", port: 8090)) == nil)
        for url in ["http://127.0.0.1:8090", "http://localhost:8090", "http://[::1]:8090"] {
            #expect(PlaybackServer.warning(of: try NodeURL(url), listeningAt: loopback) == nil, "\(url)")
        }
    }
}
