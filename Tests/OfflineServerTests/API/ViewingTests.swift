import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Tags, positions, plays, timelines and search", .fewAtOnce, .timeLimit(.minutes(2)))
struct ViewingTests {
    private func patch(_ site: Site, _ token: AssetToken, _ body: String) async throws -> Reply {
        try await site.request(
            "PATCH", "/api/v1/assets/\(token)",
            ["Content-Type": "application/json", "Content-Length": "\(body.utf8.count)"], body: body)
    }

    private func put(_ site: Site, _ path: String, _ body: String) async throws -> Reply {
        try await site.request("PUT", path, ["Content-Type": "application/json"], body: body)
    }

    @Test("an asset gets tags with its request and later, and a tag stands for all assets that have it")
    func tags() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let added = try await site.post(
                "/api/v1/assets", #"{"url": "\#(url)", "tags": ["kids", "kids"]}"#)
            let first = try #require((added.object["token"] as? String).flatMap { AssetToken($0) })
            #expect(added.object["tags"] as? [String] == ["kids"])
            let second = try await site.importSample()
            #expect(try await patch(site, second, #"{"tags": ["winter", "kids"]}"#).status == 200)
            let tagged = try await site.get("/api/v1/assets?tag=kids").object["assets"] as? [[String: Any]]
            #expect(tagged?.count == 2)
            let winter = try await site.get("/api/v1/assets?tag=winter").object["assets"] as? [[String: Any]]
            #expect(winter?.map { $0["token"] as? String } == [second.description])
            let pinned = try await site.post(
                "/api/v1/control",
                #"{"action": "pin", "tokens": ["\#(first)", "tag:kids", "tag:winter", "\#(first)"]}"#)
            #expect((pinned.object["done"] as? [Any])?.count == 2, "each asset is named once or more")
            let store = site.server.store
            #expect(try store.reader.asset(first)?.isPinned == true)
            let unknown = try await site.post(
                "/api/v1/control", #"{"action": "pin", "tokens": ["tag:none"]}"#)
            #expect(unknown.status == 404)
        }
        origin.stop()
    }

    @Test("an asset gets another picture, from a file or from the request, and loses it again")
    func pictures() async throws {
        let folder = try TemporaryDirectory()
        let pictures = [
            "jpg": [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 40),
            "png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 2, count: 40),
        ]
        try Data(pictures["jpg"] ?? []).write(to: URL(fileURLWithPath: folder.file("poster.jpg")))
        try await withSample { site, token in
            let png = Data(pictures["png"] ?? []).base64EncodedString()
            let sources = [(folder.file("poster.jpg"), "jpg"), ("data:image/png;base64,\(png)", "png")]
            for (source, type) in sources {
                #expect(try await patch(site, token, #"{"artwork": "\#(source)"}"#).status == 200)
                let picture = try await site.get("/assets/\(token)/poster")
                #expect(picture.body == pictures[type])
                let files = try FileManager.default.contentsOfDirectory(atPath: site.file(token, ""))
                #expect(files.filter { $0.hasPrefix("poster") } == ["poster.\(type)"])
            }
            let refused = try await patch(site, token, #"{"artwork": "data:image/png;base64,AAAA"}"#)
            #expect(refused.status == 409 && refused.text.contains("JPEG"))
            #expect(try await site.get("/assets/\(token)/poster").status == 200)
            #expect(try await patch(site, token, #"{"artwork": ""}"#).status == 200)
            #expect(try await site.get("/assets/\(token)/poster").status == 404)
        }
    }

    @Test("an asset whose playlists were never read gets no picture, and the refusal says what to do first")
    func earlyPicture() async throws {
        let origin = try OriginServer()
        try await withSite { site in
            let added = try await site.post("/api/v1/assets", #"{"url": "\#(origin.url("/none.m3u8"))"}"#)
            let token = try #require((added.object["token"] as? String).flatMap { AssetToken($0) })
            try await eventually {
                try await site.get("/api/v1/assets/\(token)").object["state"] as? String == "failed"
            }
            let refused = try await patch(site, token, #"{"artwork": "data:image/png;base64,AAAA"}"#)
            #expect(refused.status == 409)
            #expect(refused.text.contains("the asset has failed, so it can't be given a picture"))
            #expect(refused.text.contains("then set yours"))
        }
        origin.stop()
    }

    @Test("an invalid tag is refused with its place", arguments: ["", "a,b", " a", #"\u0001"#])
    func badTags(_ tag: String) async throws {
        try await withSample { site, token in
            let reply = try await patch(site, token, #"{"tags": ["ok", "\#(tag)"]}"#)
            #expect(reply.status == 400)
            #expect(reply.object["pointer"] as? String == "/tags/1")
        }
    }

    @Test("commands take a tag in the place of tokens")
    func commands() async throws {
        let (program, token) = try await Program.withSample()
        try await withSite(in: program.store) { site in
            let reply = try await patch(site, token, #"{"tags": ["kids"]}"#)
            #expect(reply.status == 200)
        }
        let status = try await program.run("status", "tag:kids", "--json")
        #expect(status.status == 0)
        #expect(status.array.map { $0["token"] as? String } == [token.description], "a tag gives a list")
        let twice = try await program.run("status", token.description, "tag:kids", "--json")
        #expect(twice.array.count == 1)
        let unknown = try await program.run("unpin", "tag:none")
        #expect(unknown.status == 3 && unknown.errors.contains("no asset has the tag none"))
        let several = try await program.run("url", "tag:kids")
        #expect(several.status == 64 && several.errors.contains("give its token in place of tag:kids"))
        #expect(try await program.run("pin", "tag:kids", token.description).status == 0)
        #expect(try await program.run("pin", "tag:kids", "01ARZ3NDEKTSV4RRFFQ69G5FAV").status == 3)
        #expect(try await program.run("remove", "tag:none").status == 3)
        #expect(try await program.run("remove", "tag:kids").status == 0)
        #expect(try await program.run("playable", token.description).status == 3)
    }

    @Test("a position is kept, and counts as watched near the end")
    func position() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)/position"
            let before = try await site.get(path).object
            #expect(before["position"] is NSNull && before["watched"] as? Bool == false)
            let told = try await put(site, path, #"{"position": 1.5}"#)
            #expect(told.status == 200 && told.object["watched"] as? Bool == false)
            #expect(try await site.get(path).object["position"] as? Double == 1.5)
            let duration = try #require(try site.server.store.reader.asset(token)?.duration)
            let end = try await put(site, path, #"{"position": \#(duration * 0.95)}"#)
            #expect(end.object["watched"] as? Bool == true)
            let again = try await put(site, path, #"{"position": 0, "watched": false}"#)
            #expect(again.object["watched"] as? Bool == false)
            let asset = try await site.get("/api/v1/assets/\(token)").object
            #expect(asset["position"] as? Double == 0 && asset["watched"] as? Bool == false)
        }
    }

    @Test("an invalid position is refused", arguments: ["{}", #"{"position": -1}"#, #"{"position": "1"}"#])
    func badPositions(_ body: String) async throws {
        try await withSample { site, token in
            let reply = try await put(site, "/api/v1/assets/\(token)/position", body)
            #expect(reply.status == 400)
            let unknown = "/api/v1/assets/\(AssetToken(at: Timestamp(milliseconds: 1)))/position"
            #expect(try await put(site, unknown, #"{"position": 1}"#).status == 404)
        }
    }

    @Test("a timeline tells when segments begin, where they are, and which are stored")
    func timeline() async throws {
        try await withSample { site, token in
            let timeline = try await site.get("/api/v1/assets/\(token)/timeline").object
            let renditions = try #require(timeline["renditions"] as? [[String: Any]])
            let video = try #require(renditions.first { $0["type"] as? String == "variant" })
            let durations = try #require(video["durations"] as? [Double])
            let first = try #require(video["first"] as? Int)
            #expect(video["stored"] as? [[Int]] == [[first, first + durations.count - 1]])
            let address = try #require(video["segment_uri"] as? String)
            for index in durations.indices {
                let path = "/" + address.replacing("{n}", with: "\(first + index)")
                #expect(try await site.get(path).status == 200, "\(path)")
            }
            #expect(
                try await site.get("/api/v1/assets/\(AssetToken(at: Timestamp(milliseconds: 1)))/timeline")
                    .status == 404)
        }
    }

    @Test("plays are logged, one for several requests within minutes, and none if the settings forbid it")
    func plays() async throws {
        for isLogged in [true, false] {
            let folder = try TemporaryDirectory()
            if !isLogged {
                try Data(#"{"log_plays": false}"#.utf8).write(to: URL(filePath: folder.file("config.json")))
            }
            try await withSite(in: folder) { site in
                let token = try await site.importSample()
                for number in 0..<2 {
                    #expect(try await site.get("/assets/\(token)/video-360p/\(number).ts").status == 200)
                    let plays =
                        try await site.get("/api/v1/assets/\(token)/plays").object["plays"]
                        as? [[String: Any]]
                    #expect(plays?.count == (isLogged ? 1 : 0))
                }
            }
        }
    }

    @Test("a search finds names, tags and texts of subtitles, and nothing of removed assets")
    func search() async throws {
        try await withSite { site in
            let token = try await site.importSample("A long winter")
            #expect(try await patch(site, token, #"{"tags": ["kids"]}"#).status == 200)
            for text in ["LONG", "kid"] {
                let found = try await site.get("/api/v1/search?q=\(text)").object
                let assets = found["assets"] as? [[String: Any]]
                #expect(assets?.map { $0["asset"] as? String } == [token.description], "\(text)")
            }
            for text in ["ine%201", "e%201"] {
                let found = try await site.get("/api/v1/search?q=\(text)").object
                let cue = try #require((found["cues"] as? [[String: Any]])?.first)
                #expect(cue["asset"] as? String == token.description && cue["language"] as? String == "en")
                #expect(cue["start"] as? Double == 2 && cue["text"] as? String == "Line 1")
                #expect(found["pending"] as? Int == 0)
            }
            try await site.server.store.remove(token)
            let gone = try await site.get("/api/v1/search?q=Line").object
            #expect((gone["cues"] as? [Any])?.isEmpty == true)
            #expect(try await site.get("/api/v1/search").status == 400)
            for (text, status) in [
                (String(repeating: "x", count: 200), 200), (String(repeating: "x", count: 201), 400),
                ("a%00", 400), ("", 400),
            ] {
                #expect(try await site.get("/api/v1/search?q=\(text)").status == status, "\(text)")
            }
            #expect(try await site.get("/api/v1/search?q=%25").object["cues"] as? [String] == [])
        }
    }
}
