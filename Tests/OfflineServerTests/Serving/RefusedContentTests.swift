import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9112, section 9.3.
@Suite("The content of a refused request", .fewAtOnce, .timeLimit(.minutes(2)))
struct RefusedContentTests {
    /// The statuses of a request whose content looks like one, and of the request behind it.
    private func statuses(_ site: Site, _ line: String, _ fields: [String], last: String) async throws
        -> [Int]
    {
        let host = "Host: 127.0.0.1:\(site.server.port)\r\n"
        let content = "GET /healthz HTTP/1.1\r\n\(host)\r\n"
        let lines = ["\(line) HTTP/1.1"] + fields + ["Content-Length: \(content.utf8.count)"]
        let first = lines.joined(separator: "\r\n") + "\r\n\r\n" + content
        let text = "\(first)GET \(last) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
        let answers = try await blocking { [port = site.server.port] in
            let client = try RawHTTPClient(port: port)
            client.send(text)
            return String(decoding: client.readToEnd(), as: UTF8.self)
        }
        return answers.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
    }

    @Test("is never taken for the next request on its connection")
    func refused() async throws {
        try await withSample { site, token in
            let host = "Host: 127.0.0.1:\(site.server.port)"
            let json = "Content-Type: application/json"
            let cases: [(line: String, fields: [String], status: Int)] = [
                ("POST /healthz", [host], 405), ("PUT /", [host], 405),
                ("DELETE /assets/\(token)/video-360p/0.ts", [host], 405),
                ("POST /api/v1/assets", [host, "Content-Type: text/plain"], 415),
                ("POST /api/v1/assets", [host, json, "Content-Encoding: gzip"], 415),
                ("POST /api/v1/assets", [host, json, "Origin: http://evil.test"], 403),
                ("POST /api/v1/assets", [host, json], 400), ("POST /nothing", [host], 404),
                ("GET /healthz", ["Host: evil.test"], 421), ("BREW /healthz", [host], 501),
            ]
            for (line, fields, status) in cases {
                let seen = try await statuses(site, line, fields, last: "/healthz")
                #expect(seen == [status, 200], "\(line) \(fields)")
            }
        }
    }

    @Test("is not taken for the next request without the token, either")
    func withoutToken() async throws {
        try await withSite {
            $0.server.requiresToken = true
        } _: { site in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            for line in ["POST /api/v1/assets", "GET /healthz", "POST /t/x/healthz"] {
                let seen = try await statuses(site, line, ["Host: a"], last: "/t/\(secret)/healthz")
                #expect(seen == [401, 200], "\(line)")
            }
        }
    }
}
