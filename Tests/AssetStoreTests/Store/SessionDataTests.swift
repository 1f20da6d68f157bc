import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The session data of a stream", .timeLimit(.minutes(2)))
struct SessionDataTests {
    @Test("with addresses of their own are stored and served here; the poster is stored, too")
    func kept() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serve("/meta.json", text: #"{"a":1}"#, contentType: "application/json")
            fixture.origin.serve("/poster.jpg", bytes: [0xFF, 0xD8, 0xFF, 0xE0], contentType: "image/jpeg")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.poster",URI="poster.jpg",FORMAT=RAW"#,
                    #"#EXT-X-SESSION-DATA:DATA-ID="org.example.meta",URI="meta.json?token=secret""#,
                    #"#EXT-X-SESSION-DATA:DATA-ID="org.example.gone",URI="gone.json""#,
                    #"#EXT-X-SESSION-DATA:DATA-ID="org.example.text",VALUE="t""#,
                    Playlists.variant("v/index.m3u8", 1000)))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.poster == "poster.jpg")
            let lines = try fixture.master(asset.token).split(separator: "\n").filter {
                $0.hasPrefix("#EXT-X-SESSION-DATA")
            }
            #expect(lines.count == 4)
            #expect(lines.contains { $0.hasSuffix(#"DATA-ID="org.example.meta",URI="session-data/1""#) })
            let data = try #require(try fixture.store.reader.sessionData(of: asset.token, 1))
            #expect(data.bytes == Array(#"{"a":1}"#.utf8) && data.isJSON)
            #expect(try fixture.store.reader.sessionData(of: asset.token, 2) == nil)
        }
    }

    @Test("of a part stay as they are, but for the chapters, which count from the start of the part")
    func part() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            let list = #"[{"start-time":0,"titles":[]},{"start-time":9,"titles":[]}]"#
            for name in ["chapters", "scenes"] {
                fixture.origin.serve("/\(name).json", text: list, contentType: "application/json")
            }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    #"#EXT-X-SESSION-DATA:DATA-ID="org.example.scenes",URI="scenes.json""#,
                    #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json""#,
                    Playlists.variant("v/index.m3u8", 1000)))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.start = 4 }
            let start = try #require(try fixture.store.catalog.assets.asset(asset.token)?.selection.partStart)
            #expect(start > 0)
            let scenes = try fixture.store.reader.sessionData(of: asset.token, 0)?.bytes
            #expect(scenes == Array(list.utf8))
            let chapters = try #require(try fixture.store.reader.sessionData(of: asset.token, 1)?.bytes)
            #expect(chapters == ChapterList.part(of: Array(list.utf8), from: start, length: asset.duration))
            #expect(chapters != scenes)
        }
    }

    /// The tags of session data that are served here.
    private func served(_ fixture: StoreFixture, _ token: AssetToken) throws -> [String] {
        try fixture.master(token).split(separator: "\n").map(String.init).filter {
            $0.contains("session-data/")
        }
    }

    @Test("of a recording are not served if the fresh address lists others in their places")
    func moved() async throws {
        let show = LiveShow(
            try OriginServer(), pages: [LiveShow.page(0..<3), LiveShow.page(0..<5, isEnd: true)])
        show.serveSegments(5)
        for (name, items) in [("one", ["kept", "moved"]), ("two", ["kept", "other", "moved"])] {
            let tags = items.map { "#EXT-X-SESSION-DATA:DATA-ID=\"\($0)\",URI=\"/\($0).json\"" }
            for item in items {
                show.origin.serve("/\(item).json", bytes: Array(item.utf8), contentType: "application/json")
            }
            show.origin.serve(
                "/\(name).m3u8",
                text: Playlists.master(tags.joined(separator: "\n"), Playlists.variant(show.path, 1000)))
        }
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let token = try await fixture.download("/one.m3u8") { request in
            request.selection.recording = Selection.Recording()
            request.selection.recording?.fromStart = true
        }.token
        #expect(try served(fixture, token).count == 2)
        try await fixture.store.relink(token, to: show.origin.url("/two.m3u8"))
        let kept = #"#EXT-X-SESSION-DATA:DATA-ID="kept",URI="session-data/0""#
        #expect(try served(fixture, token) == [kept])
        #expect(try fixture.store.reader.sessionData(of: token, 0)?.bytes == Array("kept".utf8))
        #expect(try fixture.store.reader.sessionData(of: token, 1) == nil)
        await fixture.store.stop()
    }

    private func serve(_ fixture: StoreFixture, title: String) {
        fixture.origin.serveStream("/v")
        fixture.origin.serve(
            "/film/master.m3u8",
            text: Playlists.master(
                #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="Der Film",LANGUAGE="de""#,
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"\(title)\"",
                Playlists.variant("/v/index.m3u8", 1000)))
    }

    @Test(
        "an asset without a given name has the title of its stream, as one line of limited length",
        arguments: [
            ("The Film", "The Film"), (" a\t\u{1B}[31m\u{85}b ", "a [31m b"), ("\u{7}", "film"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 200)),
            ("e" + String(repeating: "\u{301}", count: 300), "e" + String(repeating: "\u{301}", count: 199)),
            ("a\u{202E}b\u{2066}c\u{200F}d", "abcd"),
            ("\u{1F469}\u{200D}\u{1F680}", "\u{1F469}\u{200D}\u{1F680}"),
        ])
    func title(_ title: String, _ name: String) async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture, title: title)
            #expect(try await fixture.download("/film/master.m3u8").name == name)
            #expect(try await fixture.download("/film/master.m3u8") { $0.name = "Mine" }.name == "Mine")
        }
    }

    @Test("give a queued asset its title when it is resolved, unless it was renamed")
    func titleLater() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture, title: "The Film")
            var requests = (1...3).map { fixture.request("/film/master.m3u8?\($0)") }
            requests[2].name = "Ours"
            let tokens = try await fixture.store.intake.enqueue(requests, isHeld: true).tokens
            var edit = AssetEdit()
            edit.name = "Mine"
            try await fixture.store.edit(tokens[1], edit)
            // A name that equals the one from the address still counts as the user's.
            edit.name = "film"
            try await fixture.store.edit(tokens[2], edit)
            await fixture.store.intake.release(tokens)
            for token in tokens { await fixture.store.untilSettled(token) }
            let names = try tokens.map { try fixture.store.reader.requireAsset($0).name }
            #expect(names == ["The Film", "Mine", "film"])
        }
    }
}
