import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("add-tracks and remove-tracks", .fewAtOnce, .timeLimit(.minutes(2)))
struct TrackCommandTests {
    private func names(_ object: [String: Any]) -> [String] {
        (object["renditions"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    private func withOrigin(_ body: (String) async throws -> Void) async throws {
        let origin = try OriginServer()
        try await body(SampleStream().publish(on: origin))
        origin.stop()
    }

    @Test("without a server: added tracks come at once, under the same token; removed ones are gone")
    func alone() async throws {
        try await withOrigin { url in
            let program = try Program()
            let made = try await program.run("download", url, "--subtitles", "none", "--json")
            let token = try #require(Outcome.object(made.lines[0])["token"] as? String)
            let added = try await program.run("add-tracks", token, "--subtitles", "en")
            #expect(added.status == 0 && added.errors.contains("added subtitles-en"))
            let status = try await program.run("status", token, "--json").object
            #expect(status["state"] as? String == "complete")
            #expect(names(status).contains("subtitles-en"))
            let removed = try await program.run("remove-tracks", token, "subtitles-en", "--json")
            #expect(removed.status == 0 && !names(removed.object).contains("subtitles-en"))
            let main = try await program.run("remove-tracks", token, "video-360p")
            #expect(main.status == 1 && main.errors.contains("video-360p is the main rendition"))
            #expect(try await program.run("add-tracks", token).status == 64)
            #expect(
                try await program.run("add-tracks", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--trick-play").status == 3)
        }
    }

    @Test("a server does the same for the command and for programs")
    func served() async throws {
        try await withOrigin { url in
            try await withSite { site in
                let body = #"{"url": "\#(url)", "subtitles": "none"}"#
                let made = try await site.post("/api/v1/assets", body)
                let token = try #require((made.object["token"] as? String).flatMap { AssetToken($0) })
                let reply = try await site.post("/api/v1/assets/\(token)/tracks", #"{"subtitles": ["en"]}"#)
                #expect(reply.status == 202 && reply.object["added"] as? [String] == ["subtitles-en"])
                await site.server.store.untilSettled(token)
                let asset = try site.server.store.reader.requireAsset(token)
                #expect(asset.state == .complete && asset.renditions.allSatisfy { $0.isComplete })
                let gone = try await site.post(
                    "/api/v1/assets/\(token)/tracks", #"{"remove": ["subtitles-en"]}"#)
                #expect(gone.status == 202 && !names(gone.object).contains("subtitles-en"))
                let again = try await site.post(
                    "/api/v1/assets/\(token)/tracks", #"{"remove": ["subtitles-en"]}"#)
                #expect(again.status == 409)
                #expect(try await site.post("/api/v1/assets/\(token)/tracks", "{}").status == 400)
            }
        }
    }

    @Test(
        "probe, tracks, subtitles list and download print NAME and LANGUAGE without control characters")
    func controls() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let master = String(decoding: SampleStream().files["master.m3u8"] ?? [], as: UTF8.self)
        origin.serve(
            "/master.m3u8",
            text: master.replacing("\"en\"", with: "\"en\u{1B}[2J\"")
                .replacing("\"English\"", with: "\"Eng\u{7}\u{9B}\u{202E}lish\""))
        let program = try Program()
        let made = try await program.run("download", url)
        let token = String(made.output.prefix { $0 != " " })
        let refused = try await program.run("download", url, "--audio", "xx")
        #expect(refused.status == 64)
        var printed = [made.errors, refused.errors]
        for command in [["probe", url], ["tracks", token], ["subtitles", "list", token]] {
            printed.append(try await program.run(command).output)
        }
        for text in printed {
            #expect(text.contains("en [2J") || text.contains("Eng  lish"), "\(text)")
            let rest = text.unicodeScalars.filter { $0 != "\n" }
            #expect(rest.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{202E}" })
        }
        origin.stop()
    }

    @Test("tracks shows the codecs and channels of audio, which its playlist lists in two places")
    func sound() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let master = String(decoding: SampleStream().files["master.m3u8"] ?? [], as: UTF8.self)
        origin.serve(
            "/master.m3u8", text: master.replacing("DEFAULT=YES", with: "CHANNELS=\"6\",DEFAULT=YES"))
        let program = try Program()
        let made = try await program.run("download", url)
        let token = String(made.output.prefix { $0 != " " })
        let lines = try await program.run("tracks", token).lines
        #expect(lines[0].contains("  CODECS                 CHANNELS  STORED"))
        #expect(
            lines.contains {
                $0.hasPrefix("audio-en ") && $0.contains("  mp4a.40.2              6         4/4")
            })
        let json = try await program.run("tracks", token, "--json").array
        #expect(json.first { $0["id"] as? String == "audio-en" }?["channels"] as? String == "6")
        origin.stop()
    }

    @Test("remove-tracks and relink print the asset with the address of the server that runs")
    func address() async throws {
        try await withOrigin { url in
            let program = try Program()
            let made = try await program.run("download", url, "--json")
            let token = try #require(Outcome.object(made.lines[0])["token"] as? String)
            try await program.serving { ready in
                for command in [["remove-tracks", token, "subtitles-en"], ["relink", token, url]] {
                    let told = try await program.run(command + ["--json"])
                    #expect(told.status == 0, "\(command)")
                    let address = told.object["playlist_url"] as? String
                    #expect(address == "\(ready.url)/assets/\(token)/master.m3u8", "\(command)")
                }
                let told = try await program.run("relink", token, url).errors
                #expect(told.contains(" comes from \(url) now; it is complete") && !told.contains("compared"))
            }
        }
    }
}
