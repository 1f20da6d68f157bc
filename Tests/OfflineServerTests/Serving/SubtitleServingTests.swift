import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Serving subtitles", .fewAtOnce, .timeLimit(.minutes(2)))
struct SubtitleServingTests {
    @Test("a whole track comes in every format by its language, with a type and an entity tag")
    func tracks() async throws {
        try await withSample { site, token in
            let cases = [
                ("vtt", "text/vtt; charset=utf-8", "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nLine 0\n"),
                (
                    "srt", "application/x-subrip; charset=utf-8",
                    "1\r\n00:00:00,000 --> 00:00:01,000\r\nLine 0"
                ),
                ("ass", "text/x-ssa; charset=utf-8", "PlayResX: 640\nPlayResY: 360"),
                ("json", "application/json", "{\"cues\":[{\"id\":\"\",\"start\":0,\"end\":1,"),
            ]
            for (format, type, beginning) in cases {
                let reply = try await site.get("/assets/\(token)/subtitles/en.\(format)")
                #expect(reply.status == 200)
                #expect(reply["Content-Type"] == type)
                #expect(reply.text.contains(beginning), "\(format)")
                #expect(reply["Cache-Control"] == "no-cache")
                #expect(!reply.text.contains("X-TIMESTAMP-MAP"))
                let tag = try #require(reply["ETag"])
                let again = try await site.get(
                    "/assets/\(token)/subtitles/subtitles-en.\(format)", ["If-None-Match": tag])
                #expect(again.status == 304)
            }
        }
    }

    @Test("the list names each track, its language and its address")
    func list() async throws {
        try await withSample { site, token in
            let list = try await site.get("/assets/\(token)/subtitles").object
            let track = try #require((list["subtitles"] as? [[String: Any]])?.first)
            #expect(track["language"] as? String == "en" && track["name"] as? String == "English")
            #expect(track["native_name"] as? String == "English")
            #expect(track["forced"] as? Bool == false && track["sdh"] as? Bool == false)
            let urls = try #require(track["urls"] as? [String: String])
            let base = "http://127.0.0.1:\(site.server.port)"
            #expect(Set(urls.keys) == ["vtt", "srt", "ass", "json", "playlist"])
            for url in urls.values {
                #expect(url.hasPrefix(base))
                #expect(try await site.get(String(url.dropFirst(base.count))).status == 200)
            }
        }
    }

    @Test("a language that is not there is a 404 that names those that are")
    func unknownLanguage() async throws {
        try await withSample { site, token in
            for path in ["de.vtt", "de/media.m3u8", "de/0.vtt"] {
                let reply = try await site.get("/assets/\(token)/subtitles/\(path)")
                #expect(reply.status == 404)
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect((reply.object["detail"] as? String)?.contains("it has: en") == true)
            }
            let other = try await site.get("/assets/01HZX3T5E8M9K2Q4R6S7V8W9XA/subtitles/en.vtt")
            #expect(other.status == 404)
            #expect(try await site.get("/assets/01HZX3T5E8M9K2Q4R6S7V8W9XA/subtitles").status == 404)
        }
    }

    @Test("a track cut along the video has its playlist and its segments, with the map that players need")
    func segments() async throws {
        try await withSample { site, token in
            let playlist = try await site.get("/assets/\(token)/subtitles/subtitles-en/media.m3u8")
            #expect(playlist["Content-Type"] == "application/vnd.apple.mpegurl")
            #expect(playlist.text.split(separator: "\n").filter { $0.hasSuffix(".vtt") }.count == 4)
            let segment = try await site.get("/assets/\(token)/subtitles/subtitles-en/2.vtt")
            #expect(segment.text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:"))
            #expect(segment.text.contains("00:00:04.000 --> 00:00:05.000\nLine 2"))
            #expect(!segment.text.contains("Line 1"))
            #expect(try await site.get("/assets/\(token)/subtitles/subtitles-en/4.vtt").status == 404)
            let head = try await site.request("HEAD", "/assets/\(token)/subtitles/subtitles-en/2.vtt")
            #expect(head["Content-Length"] == "\(segment.body.count)" && head.body.isEmpty)
        }
    }

    @Test("a picture of a moment is a PNG of the size asked for, and the same while nothing in it changes")
    func frames() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/subtitles/en/frame.png"
            let reply = try await site.get("\(path)?at=0.25&width=640&height=360")
            #expect(reply.status == 200 && reply["Content-Type"] == "image/png")
            #expect(reply["Cache-Control"] == "no-cache")
            #expect(Self.size(reply.body) == [640, 360])
            let tag = try #require(reply["ETag"])
            let later = try await site.get(
                "\(path)?at=00:00:00.750&width=640&height=360", ["If-None-Match": tag])
            #expect(later.status == 304)
            let next = try await site.get("\(path)?at=2.5&width=640&height=360", ["If-None-Match": tag])
            #expect(next.status == 200 && next.body != reply.body)
            #expect(Self.size(try await site.get("\(path)?at=0").body) == [640, 360])
            #expect(Self.size(try await site.get("\(path)?at=0&width=320").body) == [320, 180])
            let head = try await site.request("HEAD", "\(path)?at=0.25&width=640&height=360")
            #expect(head["Content-Length"] == "\(reply.body.count)" && head.body.isEmpty)
        }
    }

    @Test("a picture has at most the size of 4K, and is refused if it would be larger")
    func largestFrame() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/subtitles/en/frame.png?at=0"
            for size in [[3840, 16], [16, 2160]] {
                let reply = try await site.get("\(path)&width=\(size[0])&height=\(size[1])")
                #expect(reply.status == 200 && Self.size(reply.body) == size)
            }
            for size in ["width=3841&height=16", "width=16&height=2161"] {
                #expect(try await site.get("\(path)&\(size)").status == 400, "\(size)")
            }
        }
    }

    @Test("a picture of a track with a damaged file is the right one again once that is repaired")
    func repairedFrames() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            func picture(_ token: AssetToken) async throws -> [UInt8] {
                let query = "at=0.25&width=640&height=360"
                return try await site.get("/assets/\(token)/subtitles/en/frame.png?\(query)").body
            }
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            try Data("WEBVTT\n".utf8).write(to: URL(filePath: site.file(token, "subtitles-en/0.vtt")))
            let damaged = try await picture(token)
            try await site.server.store.repair(token)
            await site.server.store.untilSettled(token)
            let repaired = try await picture(token)
            let sound = try await picture(site.importSample())
            #expect(Self.size(damaged) == [640, 360] && damaged != repaired && repaired == sound)
        }
        origin.stop()
    }

    @Test("a picture shows several tracks at once, each in a place of its own")
    func severalTracks() async throws {
        try await withSample { site, token in
            let file = try site.folder.write(
                Array("WEBVTT\n\n00:00.000 --> 00:01.000\nZeile\n".utf8), to: "a.vtt")
            try await site.server.store.tracks.addSubtitles(
                [SubtitleSource(source: file, language: "de")], to: token)
            let size = "at=0.25&width=640&height=360"
            func picture(_ path: String) async throws -> Reply {
                try await site.get("/assets/\(token)/subtitles/\(path)")
            }
            let both = try await picture("en/frame.png?\(size)&lang=de")
            #expect(both.status == 200 && Self.size(both.body) == [640, 360])
            let english = try await picture("en/frame.png?\(size)")
            let german = try await picture("de/frame.png?\(size)")
            #expect(Set([both.body, english.body, german.body]).count == 3)
            #expect(try await picture("en/frame.png?\(size)&lang=en").body == english.body)
            #expect(try await picture("en/frame.png?\(size)&lang=de,xx").status == 404)
        }
    }

    @Test("an invalid time, size or track of a picture is refused with a problem")
    func refusedFrames() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/subtitles/en/frame.png"
            let queries = [
                "", "?at=", "?at=x", "?at=-1", "?at=1&width=0", "?at=1&width=99999&height=99999",
                "?at=1&width=x",
                "?at=1&height=8", "?at=nan", "?at=1e5",
            ]
            for query in queries {
                let reply = try await site.get(path + query)
                #expect(reply.status == 400, "\(query)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
            #expect(try await site.get("/assets/\(token)/subtitles/de/frame.png?at=1").status == 404)
        }
    }

    /// The width and height that a PNG names.
    private static func size(_ png: [UInt8]) -> [Int] {
        guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return [] }
        return [png[16..<20], png[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test("an incomplete track is served as far as it is stored, and not cached")
    func incomplete() async throws {
        try await withSample { site, token in
            try FileManager.default.removeItem(atPath: site.file(token, "subtitles-en/2.vtt"))
            _ = try await site.server.store.verify(token)
            let reply = try await site.get("/assets/\(token)/subtitles/en.srt")
            #expect(reply.status == 200 && reply["Cache-Control"] == "no-store")
            #expect(reply.text.contains("Line 1") && !reply.text.contains("Line 2"))
            let part = try await site.get("/assets/\(token)/subtitles/subtitles-en/2.vtt")
            #expect(part.status == 503 && part["Retry-After"] == "2")
        }
    }

    @Test(
        "a segment of a track whose sources are not there yet is made once they have come, before their turn")
    func demanded() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let answered = ["/text/2.vtt", "/video/2.ts"]
        for name in SampleStream().files.keys
        where ["ts", "m4s", "vtt"].contains(name.split(separator: ".").last) {
            if !answered.contains("/\(name)") { origin.fault("/\(name)", .holdHeader) }
        }
        try await withSite { site in
            let reply = try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#)
            let token = try #require(reply.object["token"] as? String)
            let part = try await site.get("/assets/\(token)/subtitles/en/2.vtt")
            #expect(part.status == 200)
            #expect(part.text.contains("00:00:04.000 --> 00:00:05.000\nLine 2"))
            for path in answered { #expect(origin.requests(for: path).count == 1) }
            try await site.server.store.perform(.pause, on: try #require(AssetToken(token)))
            let other = try await site.get("/assets/\(token)/subtitles/en/3.vtt")
            #expect(other.status == 503 && other["Retry-After"] != nil)
        }
        origin.stop()
    }
}
