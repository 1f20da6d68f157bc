import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// The messages for a person who does not know the program yet.
@Suite("A person is told", .fewAtOnce, .timeLimit(.minutes(2)))
struct PlainWordTests {
    @Test("how to use a file, a folder or a token that came in place of an address")
    func noAddress() async throws {
        let (program, token) = try await Program.withSample()
        for command in ["download", "probe", "estimate", "preload"] {
            let folder = try await program.run(command, program.store.path)
            #expect(folder.status == 64, "\(command)")
            #expect(folder.errors.contains("`offline-server import \(program.store.path)`"), "\(command)")
        }
        let named = try await program.run("probe", token.description)
        #expect(named.errors.contains("`offline-server status \(token)` shows"))
    }

    @Test("the text that came in place of an address or a playlist")
    func asItIs() async throws {
        let program = try Program()
        let list = try program.store.write(Array("no address {x}?t=S3CRET\n".utf8), to: "list")
        let bad = try await program.run("download", "--input", list)
        #expect(bad.errors.contains("line 1: no address {x} is not an http or https URL"), "\(bad.errors)")
        let origin = try OriginServer()
        origin.serve("/x.m3u8", text: "{error: no such film}\n")
        let probed = try await program.run("probe", origin.url("/x.m3u8"))
        #expect(probed.errors.contains("#EXTM3U: {error: no such film}"), "\(probed.errors)")
        let two = try await program.run("preload", origin.url("/x.m3u8"), origin.url("/none.m3u8"))
        #expect(two.status == 1 && two.errors.contains("no such film"), "\(two.errors)")
        #expect(two.errors.contains("/none.m3u8"), "\(two.errors)")
        origin.stop()
        #expect(!bad.errors.contains("S3CRET"))
    }

    @Test("that a token was expected instead of an address, without secret parts of it")
    func noToken() async throws {
        let outcome = try await Program().run("status", "http://me:S3CRET@films.example/a.m3u8?t=S3CRET")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("no asset has the token http://films.example/a.m3u8; "))
        #expect(!outcome.errors.contains("S3CRET"))
    }

    @Test("that there is nothing to import, with the path, and otherwise the imported asset")
    func imports() async throws {
        let program = try Program()
        let none = try await program.run("import", program.store.file("none"))
        #expect(
            none.errors
                == "offline-server: there is no file or folder \(program.store.file("none")); check the path\n"
        )
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        let made = try await program.run("import", source.path, "--name", "film")
        #expect(made.errors == "imported: film, 0:08, 279 kB\n")
        #expect(AssetToken(String(made.output.dropLast())) != nil)
        let part = try await program.run("import", source.path, "--subtitles", "none", "--json")
        #expect((part.object["renditions"] as? [[String: Any]])?.count == 2, "\(part.output)")
    }

    @Test("the disguise that was removed from a folder's media, and segments unlike the others")
    func oddImport() async throws {
        let (program, folder) = (try Program(), try TemporaryDirectory())
        let lines = (0..<6).map { "#EXTINF:4,\ns\($0).ts\n" }.joined()
        try folder.write(
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(lines)#EXT-X-ENDLIST\n".utf8), to: "index.m3u8")
        for number in 0..<6 {
            let media = SampleMedia.program(number == 3 ? 0x0F : 0x1B, seconds: number == 4 ? 1 : 4)
            let before = number == 2 ? SampleMedia.wrappings[0].bytes : []
            try folder.write(before + media, to: "s\(number).ts")
        }
        let made = try await program.run("import", folder.path, "--name", "film")
        #expect(made.status == 0)
        #expect(made.errors.contains(", odd segments\nvideo: PNG taken off\n"), "\(made.errors)")
        #expect(
            made.errors.contains(
                "from 0:12 on) has video of another codec than the segments around, or no video"))
        #expect(made.errors.contains("from 0:16 on) is much shorter at the origin than the playlist says"))
    }

    @Test("in a note, and not by a table of nothing but its header, that there are no keys and no subtitles")
    func nothing() async throws {
        let program = try Program()
        let source = try TemporaryDirectory()
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n"
        try source.write(Array(playlist.utf8), to: "index.m3u8")
        try source.write(SampleStream.clearVideo(0), to: "0.ts")
        let token = String(try await program.run("import", source.path).output.dropLast())
        for (command, note) in [(["key", "list"], "no keys: "), (["subtitles", "list"], "no subtitles; ")] {
            let outcome = try await program.run(command + [token])
            #expect(outcome.status == 0 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix(note), "\(command)")
            #expect(try await program.run(command + [token, "--json"]).array.isEmpty)
        }
        let pair = String(repeating: "ab", count: 16) + ":" + String(repeating: "c7", count: 16)
        let added = try await program.run("key", "add", token, pair)
        #expect(added.status == 0 && added.errors.contains("is encrypted, so that it plays without this key"))
        let copied = try await program.run("export", token, source.file("copy"))
        #expect(copied.status == 0 && !copied.errors.contains("keys"), "\(copied.errors)")
    }

    @Test("by --dry-run the left out items, and a size without a range if it is known")
    func dryRun() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/text/en.m3u8")
        let outcome = try await Program().run("download", url, "--dry-run")
        #expect(
            outcome.errors.hasPrefix("would be left out: subtitles en (English): the origin answered 404"))
        let alone = try await Program().run("download", origin.url("/video/360.m3u8"), "--dry-run")
        #expect(alone.output.hasPrefix("one media playlist\n0:08, 4 segments, "))
        #expect(outcome.output.contains("0:08, 8 segments, about 279 kB (by sizes of some segments)\n"))
        origin.stop()
    }

    @Test("how to play the download, since no server runs when the command has ended")
    func suggestion() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let alone = try await program.run("download", url)
        let token = String(alone.output.prefix { $0 != " " })
        let hint = "`offline-server play \(token)` plays it, `offline-server serve` serves it to any player\n"
        #expect(alone.errors.hasSuffix(hint))
        #expect(try await program.run("status", token).output.contains("while `offline-server serve` runs\n"))
        try await program.serving("--require-token") { _ in
            #expect(try await !program.run("download", url).errors.contains("offline-server serve"))
            let status = try await program.run("status", token).output
            #expect(status.contains("master.m3u8; `offline-server url \(token)` prints it with the token"))
        }
        origin.stop()
    }

    @Test("in place of a player that has nothing to play why that is so")
    func play() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/video/clip.key")
        let program = try Program()
        let made = try await program.run("download", url, "--allow-missing-key")
        let token = String(made.output.prefix { $0 != " " })
        let played = try await program.run("play", token, "--player", "echo")
        #expect(played.status == 1 && played.output.isEmpty)
        #expect(
            played.errors.contains("does not play with no network: a content key is missing (`offline-server")
        )
        origin.stop()
    }

    @Test("that a picture or a subtitle file is not there, and that it is the proxy that has no address")
    func givenWrong() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        for option in [["--artwork", "/none.jpg"], ["--subtitle-file", "/none.jpg:de"]] {
            let outcome = try await program.run(["download", url] + option)
            #expect(
                outcome.errors
                    == "offline-server: could not read /none.jpg: No such file or directory; check the path\n"
            )
        }
        let proxy = try await program.run("probe", url, "--proxy", "http://none.invalid:1")
        // A name that a resolver does not find at once is looked up once more, with a note.
        #expect(
            proxy.errors.hasSuffix(
                "offline-server: could not reach the proxy http://none.invalid:1: its name has no address; check the address of the proxy, and whether it runs\n"
            ))
        origin.stop()
    }

    @Test("before anything is downloaded that a file can't hold the stream's codec")
    func strangeCodec() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let master = String(decoding: SampleStream().files["master.m3u8"] ?? [], as: UTF8.self)
        origin.serve("/master.m3u8", text: master.replacing("mp4a.40.2", with: "opus"))
        let program = try Program()
        let file = program.store.file("film.ts")
        let outcome = try await program.run("download", url, "-o", file)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(
            outcome.errors.contains(
                "\(file) can't hold this stream: a transport stream has no place for its codec opus; choose a name that ends in .mp4"
            ))
        #expect(origin.requests(for: "/video/0.ts").isEmpty)
        #expect(try await program.run("list", "--json").array.isEmpty)
        origin.stop()
    }

    @Test("in the status the command that continues an idle asset")
    func next() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/video/3.ts")
        let program = try Program()
        let made = try await program.run("download", url)
        #expect(made.status == 1)
        let token = String(made.output.prefix { $0 != " " })
        #expect(made.errors.contains(" is not complete: "), "\(made.errors)")
        #expect(made.errors.contains("; `offline-server download \(token)` goes on"), "\(made.errors)")
        let failed = try await program.run("status", token).output
        #expect(failed.contains("  next      `offline-server download \(token)` tries it again\n"))
        #expect(try await program.run("playable", token).output.contains("(`offline-server download` with"))
        #expect(try await program.run("cancel", token).status == 0)
        let cancelled = try await program.run("status", token).output
        #expect(cancelled.contains("  next      `offline-server resume \(token)` fetches it after all\n"))
        let preloaded = String(try await program.run("preload", url).output.prefix { $0 != " " })
        let paused = try await program.run("status", "--follow", preloaded).output
        #expect(paused.contains("  next      `offline-server resume \(preloaded)` goes on with it\n"))
        origin.stop()
    }

    @Test("the provider of the settings without a certificate, as a failure and not as wrong usage")
    func certificate() async throws {
        let outcome = try await Program().run("key", "certificate", "acme")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("offline-server: no key provider named acme has a certificate; "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
