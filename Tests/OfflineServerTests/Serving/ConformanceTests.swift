import AssetStore
import Foundation
import HTTPDaemon
import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9110's rules for every resource, over the wire.
@Suite("Every resource", .fewAtOnce, .timeLimit(.minutes(3)))
struct ConformanceTests {
    /// Resources with a validator.
    private static let tagged = [
        "master.m3u8", "master.m3u8?audio=en", "master.m3u8?available=1", "video-360p/media.m3u8",
        "audio-en/media.m3u8?available=1", "subtitles-en/media.m3u8", "video-360p/0.ts",
        "audio-en/init-0.mp4",
        "audio-en/1.m4s", "subtitles-en/0.vtt", "poster", "thumbnail", "dateranges", "subtitles/en.vtt",
        "subtitles/en.srt", "subtitles/en.ass", "subtitles/en.json", "subtitles/subtitles-en/media.m3u8",
        "subtitles/subtitles-en/0.vtt",
    ]
    private static let media =
        tagged + ["video-360p/0.ts?decrypt=1", "subtitles", "clearkey", "none/0.ts", "keys/none.key"]
    private static let others = [
        "/", "/healthz", "/readyz", "/metrics", "/api/v1/assets", "/api/v1/openapi.json", "/api/v1/storage",
        "/nothing", "/api/v1/nothing", "/watch/none",
    ]

    private func paths(_ token: AssetToken) -> [String] {
        Self.others + ["/watch/\(token)", "/api/v1/assets/\(token)"]
            + Self.media.map { "/assets/\(token)/\($0)" }
    }

    /// Fields that two responses to the same question share.
    private func comparable(_ reply: Reply) -> [String] {
        reply.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }.sorted()
    }

    @Test("has the same fields for HEAD as for GET, a date, and a type for its content")
    func head() async throws {
        try await withSample { site, token in
            for path in paths(token) where path != "/metrics" {
                let get = try await site.get(path)
                let head = try await site.request("HEAD", path)
                #expect(head.status == get.status, "\(path)")
                #expect(head.body.isEmpty && get.isWhole, "\(path)")
                #expect(comparable(head) == comparable(get), "\(path)")
                #expect(get["Date"]?.hasSuffix(" GMT") == true)
                #expect(get.body.isEmpty || get["Content-Type"] != nil, "\(path)")
                #expect(get["X-Content-Type-Options"] == "nosniff", "\(path)")
            }
        }
    }

    @Test("answers OPTIONS with its methods, other known methods with 405, and unknown ones with 501")
    func methods() async throws {
        try await withSample { site, token in
            let named = [
                "/", "/watch/\(token)", "/healthz", "/readyz", "/metrics", "/api/v1/assets",
                "/assets/\(token)/master.m3u8", "/assets/\(token)/keys/1.key", "/assets/\(token)/clearkey",
                "/app/app.css", "/app/qr.svg",
            ]
            for path in named {
                let options = try await site.request("OPTIONS", path)
                #expect(options.status == 204 && options["Content-Length"] == nil, "\(path)")
                #expect(options["Allow"]?.contains("OPTIONS") == true, "\(path)")
                let trace = try await site.request("TRACE", path)
                #expect(trace.status == 405 && trace["Allow"] == options["Allow"], "\(path)")
                #expect(try await site.request("QUERY", path).status == 405, "\(path)")
                for unknown in ["BREW", "get", "PROPFIND"] {
                    #expect(try await site.request(unknown, path).status == 501, "\(unknown) \(path)")
                }
            }
            let server = try await site.request("OPTIONS", "*")
            #expect(server.status == 204 && server["Allow"]?.contains("GET") == true)
        }
    }

    @Test(
        "has one spelling of its path, and paths that seem to lead out of it are not found",
        arguments: [
            "/..%2f..%2fstore.key", "/%2e%2e/store.key", "/assets/../store.key", "/assets/%2e%2e/store.key",
            "/assets/T/..%2f..%2f..%2fstore.key", "/assets/T/../../store.key", "/assets/T/%00.ts",
            "/assets/T/video-360p/0.ts%00", "/assets/T/video-360p/%2e%2e/0.ts", "/assets/T/video-360p//0.ts",
            "/assets/T/..%c0%af..%c0%afstore.key", "/assets/T/..;/store.key", "/assets/T/video-360p/0.ts/",
            "/assets/T/..%5c..%5cstore.key", "/assets/T/..%252f..%252fstore.key", "/\\..\\store.key", "/%",
            "/%zz", "/assets/T/keys/..%2f..%2f..%2fstore.key", "/assets/T/subtitles/..%2f..%2fcatalog.vtt",
            "//assets/T/master.m3u8", "/./assets/T/master.m3u8", "/store.key", "/api-token", "/catalog.db",
        ])
    func traversal(path: String) async throws {
        try await withSample { site, token in
            let reply = try await site.get(path.replacingOccurrences(of: "/T/", with: "/\(token)/"))
            #expect(reply.status == 404)
            #expect(reply["Content-Type"] == "application/problem+json")
        }
    }

    /// Checks that a response has the fields of the whole.
    private func expectSame(_ reply: Reply, as whole: Reply, _ path: String) {
        for name in ["ETag", "Cache-Control", "Last-Modified", "Vary"] {
            #expect(reply[name] == whole[name], "\(path) \(name)")
        }
        #expect(reply["Date"]?.hasSuffix(" GMT") == true, "\(path)")
    }

    @Test("with a validator is not sent again to a client that has it, but its fields are")
    func notModified() async throws {
        try await withSample(allowing: ["http://page.test"]) { site, token in
            for path in Self.tagged.map({ "/assets/\(token)/\($0)" }) {
                let whole = try await site.get(path)
                let tag = try #require(whole["ETag"], "\(path)")
                for fields in [["If-None-Match": tag], ["If-None-Match": "\"x\", W/\(tag)"]] {
                    for method in ["GET", "HEAD"] {
                        let reply = try await site.request(method, path, fields)
                        #expect(reply.status == 304 && reply.body.isEmpty, "\(path)")
                        #expect(reply["Content-Type"] == nil && reply["Transfer-Encoding"] == nil)
                        expectSame(reply, as: whole, path)
                    }
                }
            }
        }
    }

    @Test("with a validator has the same fields for a part as for the whole (RFC 9110, section 15.3.7)")
    func parts() async throws {
        try await withSample(allowing: ["http://page.test"]) { site, token in
            for path in Self.tagged.map({ "/assets/\(token)/\($0)" }) {
                let whole = try await site.get(path)
                let tag = try #require(whole["ETag"], "\(path)")
                #expect(tag.hasPrefix("\"") && whole["Content-Range"] == nil, "\(path)")
                let part = try await site.get(path, ["Range": "bytes=0-1", "If-Range": tag])
                #expect(part.status == 206 && part.body == Array(whole.body.prefix(2)), "\(path)")
                #expect(part["Content-Range"] == "bytes 0-1/\(whole.body.count)", "\(path)")
                #expect(part["Content-Type"] == whole["Content-Type"], "\(path)")
                expectSame(part, as: whole, path)
            }
        }
    }

    @Test("is sent without content coding, for any Accept-Encoding (RFC 9110, section 12.5.3)")
    func codings() async throws {
        try await withSample { site, token in
            let others = ["/api/v1/openapi.json", "/nothing"]
            for path in others + Self.tagged.map({ "/assets/\(token)/\($0)" }) {
                let plain = try await site.get(path)
                #expect(plain["Content-Encoding"] == nil && plain["Vary"] == nil, "\(path)")
                for codings in ["gzip", "gzip, identity;q=0", "*;q=0", ""] {
                    let reply = try await site.get(path, ["Accept-Encoding": codings])
                    #expect(reply.status == plain.status && reply.body == plain.body, "\(path) \(codings)")
                    #expect(comparable(reply) == comparable(plain), "\(path) \(codings)")
                }
            }
        }
    }

    private static let conditions = [
        ["If-None-Match": "*"], ["If-None-Match": "\"x\""], ["If-Match": "*"], ["If-Match": "\"x\""],
        ["If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT"],
        ["If-Unmodified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"], ["Range": "bytes=0-1"],
        ["Range": "bytes=999999-"],
    ]

    @Test(
        "that is missing or refused gets the same status with any preconditions (RFC 9110, section 13.2.1)"
    )
    func otherAnswers() async throws {
        try await withSample { site, token in
            try Tampering.removed.apply(to: site.file(token, "video-360p/1.ts"))
            let segment = "/assets/\(token)/video-360p/0.ts"
            let gone = "/assets/\(token)/video-360p/1.ts"
            let cases: [(method: String, path: String, fields: [String: String], status: Int)] = [
                ("OPTIONS", segment, [:], 204), ("OPTIONS", "*", [:], 204), ("TRACE", segment, [:], 405),
                ("POST", segment, [:], 405), ("DELETE", segment, [:], 405), ("BREW", segment, [:], 501),
                ("GET", segment, ["Host": "evil.test"], 421),
                ("GET", segment, ["Origin": "http://evil.test"], 403), ("GET", gone, [:], 503),
                ("HEAD", gone, [:], 503), ("GET", "/assets/\(token)/none/0.ts", [:], 404),
                ("GET", "/assets/\(token)/keys/none.key", [:], 404), ("GET", "/api/v1/assets/none", [:], 404),
                ("GET", "/nothing", [:], 404),
            ]
            for (method, path, fields, status) in cases {
                for condition in Self.conditions {
                    let reply = try await site.request(method, path, fields.merging(condition) { $1 })
                    #expect(reply.status == status, "\(method) \(path) \(condition)")
                    #expect(reply["Content-Range"] == nil && reply["ETag"] == nil, "\(path) \(condition)")
                }
            }
        }
    }

    @Test("reads a field of several lines as one list")
    func lists() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/video-360p/0.ts"
            let tag = try #require(try await site.get(path)["ETag"])
            func status(_ fields: String) async throws -> Int {
                let fields = ["X": "y\r\n\(fields)"]
                return try await site.get(path, fields).status
            }
            #expect(try await status("If-None-Match: \"x\"\r\nIf-None-Match: \(tag)") == 304)
            #expect(try await status("If-Match: \"x\"\r\nIf-Match: \(tag)") == 200)
            #expect(try await status("If-Match: \"x\"\r\nIf-Match: \"y\"") == 412)
            // Two Range fields are not a valid range, nor are two dates a valid date.
            #expect(try await status("Range: bytes=0-1\r\nRange: bytes=5-9") == 200)
            let date = "Sun, 06 Nov 2094 08:49:37 GMT"
            #expect(try await status("If-Modified-Since: \(date)\r\nIf-Modified-Since: \(date)") == 200)
        }
    }

    @Test("is not from the future, even when its file is")
    func future() async throws {
        try await withSample { site, token in
            let path = site.file(token, "poster.jpg")
            let later = Date(timeIntervalSinceNow: 100_000)
            try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
            let reply = try await site.get("/assets/\(token)/poster")
            #expect(reply.status == 200)
            let now = HTTPDate(seconds: 0)
            let modified = try #require(HTTPDate(reply["Last-Modified"] ?? "", now: now))
            let date = try #require(HTTPDate(reply["Date"] ?? "", now: now))
            #expect(modified <= date)
        }
    }
}
