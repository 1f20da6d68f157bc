import AssetStore
import Foundation
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("Usage", .fewAtOnce, .timeLimit(.minutes(2)))
struct UsageTests {
    @Test("every command explains itself")
    func help() async throws {
        let program = try Program()
        let list = try await program.run("--help").output.split(separator: "SUBCOMMANDS:\n").last ?? ""
        var names = list.matches(of: /(?m)^  ([a-z-]+)/).map { [String($0.1)] }
        names.append(["playlist", "parse"])
        #expect(names.count > 17)
        for name in names {
            let outcome = try await program.run(name + ["--help"])
            #expect(outcome.status == 0, "\(name)")
            #expect(
                outcome.output.contains("USAGE: offline-server \(name.joined(separator: " "))"), "\(name)")
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test("help lists the manual's pages, shows one as text, shows commands, and suggests the nearest name")
    func guides() async throws {
        let program = try Program()
        #expect(try await program.run("help").output.contains("\n  players  "))
        let guide = try await program.run("help", "players").output
        #expect(guide.hasPrefix("Play in mpv, VLC, a browser or on a TV\n"))
        #expect(guide.contains("\n    offline-server url TOKEN\n") && !guide.contains("```"))
        #expect(
            try await program.run("help", "subtitles", "get").output.contains(
                "USAGE: offline-server subtitles get"))
        #expect(try await program.run("help", "tutorial").output.contains("offline-server serve"))
        #expect(try await program.run("help", "glossary").output.hasPrefix("Glossary\n"))
        #expect(try await program.run("help", "settings").output.contains("USAGE: offline-server settings"))
        #expect(try await program.run("help", "reference/settings").output.contains("\n  storage.quota\n"))
        let unknown = try await program.run("help", "plyers")
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean `players`?"))
    }

    @Test("an unknown command is reported with the command that was probably meant")
    func suggestion() async throws {
        let program = try Program()
        let outcome = try await program.run("downlod", "http://h/a.m3u8")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "offline-server: there is no command downlod; did you mean `download`?\n")
        #expect(
            try await program.run("xyzzy").errors
                == "offline-server: there is no command xyzzy; `offline-server --help` shows what it takes\n")
    }

    @Test(
        "a missing name of a command is reported, not an option that is right",
        arguments: [
            (["--store", "x"], "the name of a command is missing"),
            (["--json"], "the name of a command is missing"),
            (["--store", "x", "--verison"], "the name of a command is missing"),
            (["--store", "x", "subtitles"], "subtitles wants the name of what to do right behind it"),
            (["key", "--store", "x", "public"], "key wants the name of what to do right behind it"),
        ])
    func missingName(_ words: [String], _ fault: String) async throws {
        let outcome = try await Program().run(words)
        #expect(outcome.status == 64 && outcome.errors.contains(fault), "\(outcome.errors)")
        #expect(!outcome.errors.contains("option '--store'"))
    }

    @Test(
        "a value that can't be read is reported with the form that the option takes",
        arguments: [
            (["download", "http://h/a.m3u8", "--rental", "3x"], "a time such as 90s, 45m, 48h, 30d or 2w"),
            (["download", "http://h/a.m3u8", "--max-height", "3p"], "a whole number of pixels"),
            (
                ["download", "http://h/a.m3u8", "--from", "x"],
                "a time of the stream, such as 90, 1:30 or 0:01:30.5"
            ),
            (["download", "http://h/a.m3u8", "--max-bitrate", "x"], "bits a second, such as 800k or 2.5M"),
            (["serve", "--quota", "3x"], "a number of bytes, such as 500M or 10G"),
            (["serve", "--limit-rate", "x"], "bytes a second, such as 500k or 2M"),
            (["serve", "--schedule", "x"], "times of day such as 22:00-06:00, or always"),
        ] as [([String], String)])
    func unreadable(words: [String], form: String) async throws {
        let outcome = try await Program().run(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(": it takes \(form); `offline-server \(words[0]) --help`"))
    }

    @Test(
        "sign-in to a server that other devices can't reach shows no picture for a phone, and says how to let them in"
    )
    func localSignIn() async throws {
        let program = try Program()
        try await program.serving { _ in
            let outcome = try await program.run("sign-in")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("`offline-server serve --lan` lets other devices in"))
            #expect(outcome.output.split(separator: "\n").count == 1)
        }
    }

    @Test("status of a store without assets says so, and how to get one")
    func emptyStatus() async throws {
        let program = try Program()
        #expect(try await program.run("key", "public").status == 0)
        let outcome = try await program.run("status")
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("no assets; `offline-server download URL` makes one"))
    }

    @Test("an impossible negative number is named, and so is an invalid port")
    func numbers() async throws {
        let program = try Program()
        let url = "http://127.0.0.1:1/a.m3u8"
        for words in [
            ["download", url, "--max-bitrate", "-5"], ["download", url, "--max-bitrate=-5"],
            ["estimate", url, "--min-bitrate", "-5"], ["download", url, "--max-height", "-5"],
            ["download", url, "--from", "-5"], ["serve", "--max-downloads", "-5"],
        ] {
            let outcome = try await program.run(words)
            #expect(outcome.status == 64, "\(words)")
            #expect(outcome.errors.contains(" can't be negative, as -5 is; `offline-server "), "\(words)")
        }
        for (address, part) in [
            ("127.0.0.1:99999", "port 99999 of --listen is out of range: choose one from 1 to 65535"),
            ("99999", "out of range"), ("nonsense", "and not 'nonsense'"), ("h:-1", "such as 127.0.0.1:8090"),
        ] {
            let outcome = try await program.run("serve", "--listen", address)
            #expect(outcome.status == 64 && outcome.errors.contains(part), "\(address): \(outcome.errors)")
        }
    }

    /// The commands that the help of a command lists.
    private func commands(in help: String) -> [String] {
        let parts = help.split(separator: "SUBCOMMANDS:\n")
        return parts.count > 1 ? parts[1].matches(of: /(?m)^  ([a-z-]+)/).map { String($0.1) } : []
    }

    @Test("no command's help names an option of transfers that it does not make")
    func usedOptions() async throws {
        let program = try Program()
        for (name, makesTransfers) in [
            ("download", true), ("preload", true), ("probe", false), ("estimate", false),
        ] {
            let help = try await program.run(name, "--help").output
            #expect(help.contains("--header"), "\(name)")
            for option in ["--limit-rate", "--metered-ok"] {
                #expect(help.contains(option) == makesTransfers, "\(name) \(option)")
            }
        }
        let refused = try await program.run("probe", "http://127.0.0.1:1/a.m3u8", "--limit-rate", "1M")
        #expect(refused.status == 64)
    }

    @Test("a command that only acts on existing assets makes no store")
    func noStore() async throws {
        let program = try Program()
        let folder = program.store.file("typo")
        let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
        for (words, status) in [
            (["list"], 1), (["status"], 1), (["verify"], 1), (["pause", "--all"], 1),
            (["resume", "--all"], 1), (["cancel", "--all"], 1), (["remove", "--all"], 1),
            (["pin", "--all"], 1), (["unpin", "--all"], 1), (["storage"], 1), (["storage", "prune"], 1),
            (["storage", "prune", "--dry-run"], 1), (["storage", "prune", "--free", "1G"], 1),
            (["verify", token], 1), (["remove", token], 1), (["repair", token], 1), (["download", token], 1),
        ] as [([String], Int32)] {
            for options in [[], ["--json"]] {
                let outcome = try await program.run(words + ["--store", folder] + options)
                #expect(outcome.status == status, "\(words)")
                #expect(!FileManager.default.fileExists(atPath: folder), "\(words)")
            }
        }
        let pruned = try await program.run("storage", "prune", "--dry-run", "--json")
        #expect(pruned.object["dry_run"] as? Bool == true && pruned.object["enough"] as? Bool == true)
    }

    @Test("options that every command takes may stand before each command that --help lists")
    func optionsFirst() async throws {
        let program = try Program()
        for name in commands(in: try await program.run("--help").output) {
            let parts = commands(in: try await program.run(name, "--help").output)
            for path in parts.isEmpty ? [[name]] : parts.map({ [name, $0] }) {
                #expect(GlobalOptions.moved(["--json"] + path + ["x"]) == path + ["--json", "x"])
            }
        }
        let shown = try await program.run("--json", "storage", "show")
        #expect(shown.status == 0 && !shown.object.isEmpty)
    }

    @Test(
        "a result that can't be printed is a failure, told in a sentence",
        arguments: [["list", "--json"], ["--version"], ["--help"]])
    func fullOutput(_ arguments: [String]) async throws {
        let errors = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: try RunningProgram.binary)
        process.arguments = arguments
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = errors
        process.environment = ["XDG_DATA_HOME": "/nonexistent"]
        let text = try await blocking { [process] in
            try process.run()
            let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(process.terminationStatus == 1)
        let told = "could not write to the standard output: No space left on device"
        #expect(text == "offline-server: \(told); check where it is sent to\n")
    }

    @Test("the program names its version and its commands")
    func program() async throws {
        let program = try Program()
        #expect(try await program.run("--version").output == "\(Version.current)\n")
        let help = try await program.run("--help")
        #expect(help.status == 0)
        for name in ["serve", "download", "playable", "playlist", "doctor"] {
            #expect(help.output.contains("  \(name)"))
        }
    }

    @Test(
        "wrong usage ends with 64 and the fault, and touches no store",
        arguments: [
            ["nonsense"], ["list", "--nonsense"], ["list", "--limit", "0"], ["list", "--limit", "x"],
            ["list", "--expiring", "soon"], ["list", "--store", ""],
            ["list", "--state", "nonsense"], ["list", "--before", "x"], ["serve", "--listen", "nowhere"],
            ["serve", "--max-downloads", "0"], ["download"],
            ["download", "http://a.test/", "--max-bitrate", "x"],
            ["download", "http://a.test/", "--max-bitrate", "1", "--min-bitrate", "2"],
            ["download", "http://a.test/", "--max-height", "0"],
            ["download", "http://a.test/", "--meta", "x"],
            ["download", "http://a.test/", "--header", "x"],
            ["download", "http://a.test/", "--limit-rate", "0"],
            ["download", "http://a.test/", "--cookie-jar", "/nonexistent"],
            ["download", "http://a.test/", "--proxy", "foo://a"],
            ["probe", "http://a.test/", "--proxy", "http://"], ["remove"],
            ["remove", "x", "--all"],
            ["playable"], ["playlist", "parse", "x", "--format", "xml"], ["probe"], ["export", "x"],
            ["import", "https://a.test/master.m3u8"],
            ["export", "01ARYZ6S410000000000000000", "a.ts", "--subtitles", "en"],
        ])
    func wrongUsage(_ arguments: [String]) async throws {
        let program = try Program()
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.hasPrefix("offline-server: ")
                && outcome.errors.contains("--help` shows what it takes\n"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "a URL of another kind is wrong usage",
        arguments: ["ftp://a.test/x.m3u8", "file:///x.m3u8", "x.m3u8"])
    func wrongURL(_ url: String) async throws {
        let program = try Program()
        for command in [["download"], ["probe"], ["estimate"], ["download", "--dry-run"]] {
            let outcome = try await program.run(command + [url])
            #expect(outcome.status == 64, "\(command)")
            #expect(outcome.errors.contains("http"))
        }
    }

    @Test(
        "wrong usage, found out before a command runs or while it does, leads to the help of that command",
        arguments: [
            (["download", "01HZX3T5E8M9K2Q4R6S7V8W9XA", "--max-height", "3"], "download"),
            (["--json", "storage", "prune", "--evict", "x"], "storage prune"),
            (["storage", "--x"], "storage"),
            (["key", "add", "x", "y"], "key add"),
            (["subtitles", "render", "--at", "x", "y"], "subtitles render"),
        ])
    func helpOfCommand(_ arguments: [String], _ command: String) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("; `offline-server \(command) --help` shows"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("SUBCOMMAND") && !outcome.errors.contains("Usage:"))
    }

    @Test("a data folder of the user that is no absolute path is ignored")
    func relativeDataFolder() async throws {
        let home = try TemporaryDirectory()
        func doctor(_ dataFolder: String) async throws -> String {
            let words = [
                "env", "-u", "OFFLINE_SERVER_STORE", "HOME=\(home.path)", "XDG_DATA_HOME=\(dataFolder)",
            ]
            return try await Program().start(["doctor"], under: words).end().output
        }
        #expect(try await doctor("data").contains("store: \(home.path)/.local/share/offline-server does"))
        #expect(try await doctor("/nonexistent").contains("store: /nonexistent/offline-server "))
    }

    @Test("a mistyped option is reported with the option that was meant")
    func mistyped() async throws {
        let outcome = try await Program().run("list", "--limt", "5")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "offline-server: unknown option '--limt'; did you mean '--limit'?\n")
    }

    @Test("a token that no asset has ends with 3 and names it")
    func unknownToken() async throws {
        let (program, _) = try await Program.withSample()
        for token in ["01HZX3T5E8M9K2Q4R6S7V8W9XA", "nonsense"] {
            for command in [
                "status", "playable", "tracks", "url", "verify", "repair", "remove", "play", "export",
            ] {
                let folder = command == "export" ? [program.store.file("out")] : []
                let outcome = try await program.run([command, token] + folder)
                #expect(outcome.status == 3, "\(command) \(token)")
                #expect(outcome.errors.contains(token), "\(command) \(token)")
                #expect(outcome.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test(
        "a mistyped value that holds a secret is not printed",
        arguments: [
            ["key", "add", "01HZX3T5E8M9K2Q4R6S7V8W9XA", "00112233445566778899aabbccddeeff:S3CRET"],
            ["key", "add", "01HZX3T5E8M9K2Q4R6S7V8W9XA", "00112233445566778899aabbccddeeff", "S3CRET"],
            ["download", "htps://u:S3CRET@h/x.m3u8?t=S3CRET"], ["probe", "htps//u:S3CRET@h/x.m3u8"],
            ["download", "http://a.test/", "--header", "Bad Name: S3CRET"],
            ["download", "http://a.test/", "--proxy", "htp://u:S3CRET@h"],
        ])
    func secrets(_ arguments: [String]) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(!outcome.errors.isEmpty && !outcome.errors.contains("S3CRET"))
    }

    @Test("a store that is a file is an error, not an empty store")
    func fileAsStore() async throws {
        let program = try Program()
        let file = try program.store.write([1], to: "file")
        for command in ["list", "storage", "doctor"] {
            let outcome = try await program.run(command, "--store", file)
            #expect(outcome.status == 1, "\(command)")
            #expect((outcome.output + outcome.errors).contains("choose another folder with --store"))
        }
    }

    @Test("an empty store is no error, and reading it does not make it")
    func emptyStore() async throws {
        let program = try Program()
        let place = program.store.file("none")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        #expect(try await program.run("list", "--store", place, "--json").output == "[]\n")
        #expect(try await program.run("--store", place, "--json", "list").output == "[]\n")
        #expect(try await program.run("list", "--store=\(place)").output.isEmpty)
        #expect(try await program.run("storage", "--store", place).status == 0)
        #expect(try await program.run("doctor", "--store", place).status == 0)
        #expect(throws: (any Error).self) { try program.store.read("none/catalog.db") }
    }

    @Test("a list without assets says when their folders are there: the catalog was lost")
    func lostCatalog() async throws {
        let program = try Program()
        let folder = program.store.file("lost/assets/\(AssetToken(at: Timestamp(milliseconds: 1)))")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let outcome = try await program.run("list", "--store", program.store.file("lost"))
        #expect(outcome.status == 0 && outcome.errors.contains("folders of assets are there (1)"))
        #expect(outcome.errors.contains("doctor"))
    }

    @Test("shells get completions", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let outcome = try await Program().run("--generate-completion-script", shell)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("offline-server"))
        #expect(outcome.output.contains("playable"))
    }
}
