import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Commands about assets", .fewAtOnce, .timeLimit(.minutes(2)))
struct AssetCommandTests {
    @Test("list and status give asset objects: a list for all, one object for one token")
    func listAndStatus() async throws {
        let (program, token) = try await Program.withSample()
        let list = try await program.run("list", "--json")
        #expect(list.array.count == 1)
        #expect(AssetObject.missing(in: try #require(list.array.first)) == [])
        let status = try await program.run("status", token.description, "--json")
        #expect(AssetObject.missing(in: status.object) == [])
        #expect(status.object["state"] as? String == "complete")
        #expect(try await program.run("status", "--json").array.count == 1)
        let two = try await program.run("status", token.description, token.description, "--json")
        #expect(two.array.count == 2)
    }

    @Test("without --json the same is for people")
    func people() async throws {
        let (program, token) = try await Program.withSample("a film")
        let list = try await program.run("list")
        #expect(list.lines.count == 2)
        #expect(list.lines.last?.hasPrefix("\(token)  complete  100%") == true)
        #expect(list.lines.last?.hasSuffix("a film") == true)
        let status = try await program.run("status", token.description.lowercased())
        #expect(status.output.contains("plays with no network"))
    }

    @Test("list shows those in a state, at most so many, and those before another")
    func listFilters() async throws {
        let (program, token) = try await Program.withSample()
        #expect(try await program.run("list", "--json", "--state", "failed").array.isEmpty)
        #expect(
            try await program.run("list", "--json", "--state", "failed", "--state", "complete").array.count
                == 1)
        try await withSite(in: program.store) { site in
            for name in ["second", "third"] { _ = try await site.importSample(name) }
        }
        let page = try await program.run("list", "--json", "--limit", "1")
        #expect(page.array.count == 1 && !page.errors.contains("few assets"), "\(page.errors)")
        #expect(try await program.run("list", "--json", "--before", token.description).array.isEmpty)
    }

    @Test("list says how to get an asset if there is none, unless only the catalog has none")
    func emptyList() async throws {
        let program = try Program()
        try await withSite(in: program.store) { _ in }
        let hint = "no assets; `offline-server download URL` makes one"
        let empty = try await program.run("list")
        #expect(empty.status == 0 && empty.output.isEmpty && empty.errors.contains(hint), "\(empty.errors)")
        #expect(!empty.errors.contains("folders"), "\(empty.errors)")
        let other = try await program.run("list", "--state", "failed")
        #expect(other.status == 0 && other.errors.contains("no such assets"), "\(other.errors)")
        try program.store.write([1, 2, 3], to: "assets/01ARZ3NDEKTSV4RRFFQ69G5FAV/0.ts")
        let lost = try await program.run("list")
        #expect(lost.status == 0 && lost.output.isEmpty)
        #expect(lost.errors.contains("no assets, but folders of assets are there (1)"), "\(lost.errors)")
        #expect(!lost.errors.contains(hint), "\(lost.errors)")
    }

    @Test("playable ends with 0 for an asset that plays offline, else with 2 and the reason")
    func playable() async throws {
        let (program, token) = try await Program.withSample()
        let yes = try await program.run("playable", token.description, "--json")
        #expect(yes.status == 0)
        #expect(yes.object["offline"] as? Bool == true)
        #expect(yes.object["blocked_by"] as? [String] == [])
        #expect(yes.object["from_start_until"] as? Double == SampleStream.duration)
        try FileManager.default.removeItem(atPath: program.store.file("assets/\(token)/video-360p/2.ts"))
        let no = try await program.run("playable", token.description, "--json")
        #expect(no.status == 2)
        #expect(no.object["offline"] as? Bool == false)
        #expect(no.object["blocked_by"] as? [String] == ["segment-damaged"])
        #expect(no.object["from_start_until"] as? Double == 4)
        #expect((no.object["ranges"] as? [Any])?.count == 2)
        let words = try await program.run("playable", token.description)
        #expect(words.status == 2)
        #expect(words.output.hasPrefix("plays the first 0:04 of 0:08"))
    }

    @Test("if an asset's files can't be read, playable names the reason, and other commands work")
    func unreadable() async throws {
        let (program, token) = try await Program.withSample()
        let folder = program.store.file("assets/\(token)/audio-en")
        try FileManager.default.moveItem(atPath: folder, toPath: program.store.file("away"))
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder)
        let playable = try await program.run("playable", token.description)
        #expect(playable.status == 1 && playable.errors.contains("could not open"))
        let alone = try await program.run("verify", token.description)
        #expect(alone.status == 1 && alone.errors.hasPrefix("offline-server: could not"), "\(alone.errors)")
        let status = try await program.run("status", token.description)
        #expect(status.status == 1 && status.output.isEmpty)
        let other = try await withSite(in: program.store) { try await $0.importSample("other") }
        for tokens in [[], [token, other].map(\.description)] {
            let all = try await program.run(["status"] + tokens)
            #expect(all.status == 0 && all.output.contains("its files can't be read"))
            let verified = try await program.run(["verify"] + tokens)
            #expect(verified.status == 1 && verified.output.contains("\(other): "))
            #expect(verified.errors.contains("\(token): could not"))
        }
        for command in [["url"], ["tracks"], ["license", "revoke"]] {
            #expect(try await program.run(command + [token.description]).status == 0, "\(command)")
        }
    }

    @Test("tracks lists the renditions, --offline the complete ones")
    func tracks() async throws {
        let (program, token) = try await Program.withSample()
        let tracks = try await program.run("tracks", token.description, "--json")
        #expect(
            Set(tracks.array.compactMap { $0["id"] as? String }) == [
                "video-360p", "audio-en", "subtitles-en",
            ])
        #expect(Set(tracks.array.compactMap { $0["type"] as? String }) == ["variant", "audio", "subtitles"])
        #expect(try await program.run("tracks", token.description, "--json", "--offline").array.count == 3)
        #expect(try await program.run("tracks", token.description).lines.count == 4)
    }

    @Test(
        "a rendition with a missing or truncated file does not count as complete",
        arguments: ["audio-en/1.m4s", "audio-en/init-0.mp4", "audio-en/media.m3u8"])
    func damagedTracks(_ name: String) async throws {
        let (program, token) = try await Program.withSample()
        try program.store.write([], to: "assets/\(token)/\(name)")
        let tracks = try await program.run("tracks", token.description, "--json", "--offline")
        #expect(tracks.array.compactMap { $0["id"] as? String } == ["video-360p", "subtitles-en"])
        try FileManager.default.removeItem(atPath: program.store.file("assets/\(token)/\(name)"))
        #expect(try await program.run("tracks", token.description, "--json", "--offline").array.count == 2)
        #expect(try await program.run("tracks", token.description, "--json").array.count == 3)
    }

    @Test("url is the running server's address, else the usual one with a remark")
    func url() async throws {
        let (program, token) = try await Program.withSample()
        let usual = try await program.run("url", token.description)
        #expect(usual.output == "http://127.0.0.1:8090/assets/\(token)/master.m3u8\n")
        #expect(usual.errors.contains("offline-server serve"))
        #expect(try await program.run("url", token.description, "--quiet").errors.isEmpty)
        try await program.serving { ready in
            let running = try await program.run("url", token.description, "--json")
            #expect(running.object["playlist_url"] as? String == "\(ready.url)/assets/\(token)/master.m3u8")
            #expect(running.object["served"] as? Bool == true)
        }
    }

    @Test("play starts the player on the address and ends as it does")
    func play() async throws {
        let (program, token) = try await Program.withSample()
        #expect(try await program.run("play", token.description, "--player", "true").status == 0)
        let failing = try await program.run("play", token.description, "--player", "/bin/false")
        #expect(failing.status == 1)
        #expect(failing.errors.contains("false ended with status 1"))
        let none = try await program.run("play", token.description, "--player", "no-such-player")
        #expect(none.status == 1)
        #expect(none.errors.contains("no-such-player"))
        let shown = try await program.run("play", token.description, "--player", "echo", "--subtitles", "en")
        #expect(shown.output.hasSuffix("/assets/\(token)/master.m3u8?subtitles=en\n"))
    }

    @Test("play gives mpv, which does not see the subtitles of a stream, all of them to choose from")
    func playInMPV() async throws {
        let (program, token) = try await Program.withSample()
        let player = program.store.file("mpv")
        try FileManager.default.createSymbolicLink(atPath: player, withDestinationPath: "/bin/echo")
        let all = try await program.run("play", token.description, "--player", player)
        #expect(all.output.contains("/assets/\(token)/master.m3u8 --sub-file=http://127.0.0.1:"))
        #expect(all.output.hasSuffix("/assets/\(token)/subtitles/subtitles-en.ass --sid=no\n"))
        #expect(!all.errors.contains("stored cues") && !all.errors.contains("sample plays"))
        let one = try await program.run("play", token.description, "--player", player, "--subtitles", "en")
        #expect(one.output.hasSuffix("/subtitles/subtitles-en.ass\n"))
    }

    @Test("storage lists bytes by asset")
    func storage() async throws {
        let (program, token) = try await Program.withSample()
        let object = try await program.run("storage", "--json").object
        #expect((object["assets"] as? [[String: Any]])?.first?["token"] as? String == token.description)
        #expect((object["bytes"] as? Int ?? 0) > 4 * 65536)
        #expect(try await program.run("storage").output.contains(token.description))
    }

    @Test("verify ends with 2 when it finds damage and names the files")
    func verify() async throws {
        let (program, token) = try await Program.withSample()
        #expect(try await program.run("verify").status == 0)
        try program.store.write(SampleStream.otherVideo, to: "assets/\(token)/video-360p/3.ts")
        let damaged = try await program.run("verify", token.description, "--json")
        #expect(damaged.status == 2)
        #expect(damaged.array.first?["damaged"] as? [String] == ["video-360p/3.ts"])
        #expect(damaged.array.first?["sound"] as? Bool == false)
        #expect(damaged.array.first?["token"] as? String == token.description)
        #expect(try await program.run("playable", token.description).status == 2)
        let resumed = try await program.run("resume", token.description)
        #expect(
            resumed.errors.contains("but damaged; `offline-server repair \(token)` mends it"),
            "\(resumed.errors)")
        #expect(try await program.run("pause", token.description).errors.contains("damaged") == false)
    }

    @Test("remove deletes the asset with its files, --all every one")
    func remove() async throws {
        let (program, token) = try await Program.withSample()
        let removed = try await program.run("remove", token.description, "--json")
        #expect(removed.status == 0)
        #expect(removed.object["removed"] as? [String] == [token.description])
        #expect(!FileManager.default.fileExists(atPath: program.store.file("assets/\(token)")))
        #expect(try await program.run("list", "--json").array.isEmpty)
        #expect(try await program.run("remove", "--all").status == 0)
    }

    @Test("others may read exported files as far as the caller's mask permits, except the keys")
    func exportedPermissions() async throws {
        let (program, token) = try await Program.withSample()
        let target = try TemporaryDirectory()
        let folder = target.file("out")
        #expect(try await program.run("export", token.description, folder, "--with-keys").status == 0)
        let mask = try callersMask()
        for (name, mode) in [
            ("", 0o755), ("/video-360p", 0o755), ("/video-360p/0.ts", 0o644), ("/master.m3u8", 0o644),
        ] {
            #expect(try permissions(folder + name) == mode & ~mask, "\(name)")
        }
        let keys = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/keys")
        #expect(!keys.isEmpty)
        for key in keys { #expect(try permissions("\(folder)/keys/\(key)") == 0o600) }
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// The file mode creation mask that programs get from here.
    private func callersMask() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        return try #require(Int(line.dropFirst(6).filter(\.isNumber), radix: 8))
    }

    @Test("an exported asset is a plain folder that another store imports, and plays the same")
    func exportAndImport() async throws {
        let (program, token) = try await Program.withSample()
        let target = try TemporaryDirectory()
        let folder = target.file("out")
        let exported = try await program.run("export", token.description, folder, "--with-keys", "--json")
        #expect(exported.status == 0)
        #expect(exported.object["folder"] as? String == folder)
        let again = try await program.run("export", token.description, folder)
        #expect(again.status == 1)
        let other = try Program()
        let imported = try await other.run("import", folder, "--name", "copy", "--json")
        #expect(AssetObject.missing(in: imported.object) == [])
        #expect(imported.object["name"] as? String == "copy")
        let copy = try #require(imported.object["token"] as? String)
        #expect(try await other.run("playable", copy).status == 0)
        for (path, bytes, _) in SampleStream.served {
            #expect(try other.store.read("assets/\(copy)/\(path)") == bytes, "\(path)")
        }
    }

    @Test("an imported folder gets subtitle files along, and is not added without them")
    func importWithSubtitles() async throws {
        let program = try Program()
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        let file = try program.store.write(
            Array("1\n00:00:01,000 --> 00:00:02,000\nHallo\n".utf8), to: "a.srt")
        let failed = try await program.run("import", source.path, "--subtitle-file", "/no/such.srt:de")
        #expect(failed.status == 1)
        #expect(try await program.run("list", "--json").array.isEmpty)
        let imported = try await program.run("import", source.path, "--subtitle-file", "\(file):de", "--json")
        #expect(imported.object["subtitle_languages"] as? [String] == ["en", "de"])
        let token = try #require(imported.object["token"] as? String)
        let text = try await program.run("subtitles", "get", token, "de", "--format", "text")
        #expect(text.output.contains("Hallo"))
    }

    @Test("without --with-keys the keys stay in the store, which is said")
    func exportWithoutKeys() async throws {
        let (program, token) = try await Program.withSample()
        let exported = try await program.run("export", token.description, program.store.file("out"))
        #expect(exported.output == "\(program.store.file("out"))/master.m3u8\n")
        #expect(exported.errors.contains("--with-keys"))
        #expect(!FileManager.default.fileExists(atPath: program.store.file("out/keys")))
    }

    @Test("a folder without HLS is not imported", arguments: ["empty", "none", "text.m3u8"])
    func notImportable(_ name: String) async throws {
        let program = try Program()
        let source = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: source.file("empty"), withIntermediateDirectories: false)
        try source.write(Array("hello\n".utf8), to: "text.m3u8")
        let outcome = try await program.run("import", source.file(name))
        #expect(outcome.status == 1)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(try await program.run("list", "--json").array.isEmpty)
    }
}
