import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9110, sections 13 and 14; each request twice, from the store and from the cache.
@Suite("Ranges and conditions", .fewAtOnce, .timeLimit(.minutes(2)))
struct RangeTests {
    private static let bytes = SampleStream.video(0)

    private func eachTime(_ body: (Site, String) async throws -> Void) async throws {
        try await withSample { site, token in
            for _ in 0..<2 { try await body(site, "/assets/\(token)/video-360p/0.ts") }
        }
    }

    @Test("a part is exactly the bytes that were asked for")
    func parts() async throws {
        try await eachTime { site, path in
            for (range, wanted) in [
                ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=65000-", 65000..<65536),
                ("bytes=-100", 65436..<65536),
                ("bytes=65535-65535", 65535..<65536), ("bytes=100-999999999", 100..<65536),
                ("bytes=-99999999", 0..<65536),
                ("bytes=0-", 0..<65536), ("Bytes=1-2", 1..<3),
            ] {
                let reply = try await site.get(path, ["Range": range])
                #expect(reply.status == 206, "\(range)")
                #expect(reply["Content-Range"] == "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/65536")
                #expect(reply["Content-Length"] == "\(wanted.count)")
                #expect(reply.body == Array(Self.bytes[wanted]))
                #expect(reply["Content-Type"] == "video/mp2t")
                #expect(reply["ETag"] != nil)
            }
        }
    }

    @Test("a range outside of the content is refused")
    func unsatisfiable() async throws {
        try await eachTime { site, path in
            for range in ["bytes=65536-", "bytes=99999-100000", "bytes=-0"] {
                let reply = try await site.get(path, ["Range": range])
                #expect(reply.status == 416, "\(range)")
                #expect(reply["Content-Range"] == "bytes */65536")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
        }
    }

    @Test("an invalid range is ignored")
    func invalid() async throws {
        try await eachTime { site, path in
            for range in [
                "bytes=5-2", "bytes=a-b", "bytes", "bytes=", "items=0-5", "bytes=1", "bytes=--1", "0-5",
            ] {
                let reply = try await site.get(path, ["Range": range])
                #expect(reply.status == 200, "\(range)")
                #expect(reply.body == Self.bytes)
                #expect(reply["Content-Range"] == nil)
            }
        }
    }

    @Test("a range of HEAD is ignored")
    func headRange() async throws {
        try await eachTime { site, path in
            let reply = try await site.request("HEAD", path, ["Range": "bytes=0-9"])
            #expect(reply.status == 200)
            #expect(reply["Content-Length"] == "65536")
        }
    }

    @Test("If-Range gives a part of the same version, and all of another one")
    func ifRange() async throws {
        try await eachTime { site, path in
            let tag = try #require(try await site.get(path)["ETag"])
            let same = try await site.get(path, ["Range": "bytes=0-9", "If-Range": tag])
            #expect(same.status == 206)
            let outside = try await site.get(path, ["Range": "bytes=65536-", "If-Range": tag])
            #expect(outside.status == 416)
            for validator in ["\"other\"", "W/\(tag)", "Sat, 01 Jan 2000 00:00:00 GMT"] {
                for range in ["bytes=0-9", "bytes=65536-"] {
                    let stale = try await site.get(path, ["Range": range, "If-Range": validator])
                    #expect(stale.status == 200 && stale["Content-Range"] == nil, "\(validator)")
                    #expect(stale.body == Self.bytes)
                }
            }
        }
    }

    @Test("a client's current version is not sent again")
    func notModified() async throws {
        try await eachTime { site, path in
            let known = try await site.get(path)
            let tag = try #require(known["ETag"])
            let date = try #require(known["Last-Modified"])
            for fields in [
                ["If-None-Match": tag], ["If-None-Match": "*"], ["If-None-Match": "\"a\", W/\(tag)"],
                ["If-Modified-Since": date], ["If-None-Match": tag, "Range": "bytes=0-9"],
            ] {
                let reply = try await site.get(path, fields)
                #expect(reply.status == 304, "\(fields)")
                #expect(reply.body.isEmpty)
                #expect(reply["ETag"] == tag)
            }
            #expect(try await site.get(path, ["If-None-Match": "\"other\""]).status == 200)
            #expect(
                try await site.get(path, ["If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"]).status == 200
            )
        }
    }

    @Test("a condition that does not hold is a failed precondition")
    func preconditions() async throws {
        try await eachTime { site, path in
            let tag = try #require(try await site.get(path)["ETag"])
            #expect(try await site.get(path, ["If-Match": tag]).status == 200)
            #expect(try await site.get(path, ["If-Match": "\"other\""]).status == 412)
            #expect(
                try await site.get(path, ["If-Unmodified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"]).status
                    == 412)
        }
    }

    @Test("a condition that holds leaves the range as it is")
    func holding() async throws {
        try await eachTime { site, path in
            let known = try await site.get(path)
            let tag = try #require(known["ETag"])
            let date = try #require(known["Last-Modified"])
            for fields in [
                ["If-Match": tag], ["If-Match": "*"], ["If-None-Match": "\"other\""],
                ["If-Unmodified-Since": date],
                ["If-Modified-Since": "Sat, 01 Jan 2000 00:00:00 GMT"], ["If-Match": tag, "If-Range": tag],
            ] {
                let reply = try await site.get(path, fields.merging(["Range": "bytes=0-9"]) { $1 })
                #expect(reply.status == 206 && reply.body == Array(Self.bytes[..<10]), "\(fields)")
            }
        }
    }

    @Test("a failed range or condition names the asset, also if there is no validator")
    func namedAsset() async throws {
        try await withSample { site, token in
            let media = "/assets/\(token)/video-360p/1.ts"
            for (path, name, value, status) in [
                (media, "Range", "bytes=65536-", 416), (media, "If-Match", "\"x\"", 412),
                ("/assets/\(token)/subtitles", "If-Match", "\"x\"", 412),
            ] {
                let reply = try await site.get(path, [name: value])
                #expect(reply.status == status, "\(path) \(name)")
                #expect(reply.object["token"] as? String == token.description)
                #expect(reply.object["title"] is String && reply.object["detail"] is String)
            }
        }
    }

    @Test("without a validator, a condition can only ask whether the resource exists")
    func withoutValidators() async throws {
        try await withSample { site, token in
            for path in [
                "/assets/\(token)/subtitles", "/assets/\(token)/keys/k0.key", "/api/v1/assets", "/",
                "/healthz",
            ] {
                #expect(try await site.get(path)["ETag"] == nil, "\(path)")
                for (name, value, status) in [
                    ("If-Match", "*", 200), ("If-Match", "\"x\"", 412), ("If-None-Match", "*", 304),
                    ("If-None-Match", "\"x\"", 200), ("Range", "bytes=0-1", 200),
                    ("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT", 200),
                ] {
                    for method in ["GET", "HEAD"] {
                        let reply = try await site.request(method, path, [name: value])
                        #expect(reply.status == status, "\(method) \(path) \(name): \(value)")
                    }
                }
            }
            let none = try await site.get("/api/v1/assets/none", ["If-None-Match": "*", "If-Match": "\"x\""])
            #expect(none.status == 404)
        }
    }

    @Test("a key that a request's conditions keep back is no play")
    func keptBack() async throws {
        try await withSample { site, token in
            func firstPlay() throws -> Bool {
                try site.server.store.reader.requireAsset(token).license.firstPlayedAt != nil
            }
            let path = "/assets/\(token)/keys/k0.key"
            let segment = "/assets/\(token)/video-360p/0.ts?decrypt=1"
            #expect(try await site.request("HEAD", segment).status == 200)
            #expect(try await site.get(segment, ["If-None-Match": "*"]).status == 304)
            let kept = try await site.get(path, ["If-None-Match": "*"])
            #expect(kept.body.isEmpty)
            #expect(try await site.get(path, ["If-Match": "\"x\""]).status == 412)
            #expect(try !firstPlay())
            #expect(try await site.get(path, ["If-Match": "*"]).body == SampleStream.key)
            #expect(try firstPlay())
        }
    }

    @Test("the entity tag distinguishes a playlist from a changed one")
    func playlists() async throws {
        try await withSample { site, token in
            for path in ["master.m3u8", "audio-en/media.m3u8"] {
                let tag = try #require(try await site.get("/assets/\(token)/\(path)")["ETag"])
                #expect(try await site.get("/assets/\(token)/\(path)", ["If-None-Match": tag]).status == 304)
            }
            let usual = try await site.get("/assets/\(token)/master.m3u8")["ETag"]
            let other = try await site.get("/assets/\(token)/master.m3u8?subtitles=en")["ETag"]
            #expect(usual != other)
        }
    }
}
