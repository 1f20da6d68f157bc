import ArgumentParser
import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The groups of options")
struct OptionGroupTests {
    @Test("ask for a part that ends after its beginning")
    func part() throws {
        for words in [["--from", "5", "--to", "5"], ["--from", "5", "--to", "4.9"], ["--to", "0"]] {
            #expect(throws: (any Error).self, "\(words)") { try PartOptions.parse(words) }
        }
        let part = try PartOptions.parse(["--from", "5", "--to", "5.5"]).apply(to: Selection())
        #expect(part.start == 5 && part.end == 5.5)
        let whole = try PartOptions.parse([]).apply(to: Selection())
        #expect(whole == Selection())
    }

    @Test("select nothing in particular if none is given, and one border of the bit rate at most")
    func selection() throws {
        let usual = try SelectionOptions.parse([]).selection
        #expect(usual.isAutomatic)
        let wanted = try SelectionOptions.parse([
            "--min-bitrate", "800k", "--max-height", "1", "--all-variants", "--trick-play",
        ]).selection
        #expect(wanted.minimumBitrate == 800_000 && wanted.maximumBitrate == nil)
        #expect(wanted.maximumHeight == 1 && wanted.allVariants && wanted.trickPlay)
        for words in [["--max-bitrate", "2", "--min-bitrate", "1"], ["--max-height", "0"]] {
            #expect(throws: (any Error).self, "\(words)") { try SelectionOptions.parse(words) }
        }
    }

    @Test("leave the use of a metered connection to the settings, unless they allow it")
    func metered() throws {
        var configuration = OfflineStore.Configuration()
        try PolicyOptions.parse([]).apply(to: &configuration)
        #expect(configuration.mayUseMetered == nil && configuration.rateLimit == nil)
        try PolicyOptions.parse(["--metered-ok", "--limit-rate", "1k", "--limit-rate-per-host", "2k"])
            .apply(to: &configuration)
        #expect(configuration.mayUseMetered == true)
        #expect(configuration.rateLimit == 1000 && configuration.rateLimitPerHost == 2000)
        var request = AssetRequest(url: "http://h/a.m3u8")
        try TransferOptions.parse(["--limit-rate", "3k"]).apply(to: &request)
        #expect(!request.isMeteredOK && request.access.rateLimit == 3000)
        try TransferOptions.parse(["--metered-ok"]).apply(to: &request)
        #expect(request.isMeteredOK && request.access.rateLimit == nil)
    }

    @Test("keep a local subtitle file's place for a server with another folder, and a URL as it is")
    func subtitleFiles() {
        let files = SubtitleFileArgument.sources(["/films/a.srt:de", "https://h/a.vtt:en", "b.srt:fr"])
        #expect(files.map(\.language) == ["de", "en", "fr"])
        #expect(files.prefix(2).map(\.source) == ["/films/a.srt", "https://h/a.vtt"])
        #expect(files.last?.source.hasPrefix("/") == true && files.last?.source.hasSuffix("/b.srt") == true)
        #expect(throws: ValidationError.self) { try SubtitleFileArgument.check(["a.srt:de", "a.srt"]) }
    }

    @Test("name a URL of a node only together with a catalog")
    func nodeURL() throws {
        let named = try NodeOptions.parse(["--node-url", "http://films-1.example:8090"])
        #expect(throws: ValidationError.self) { try named.address(EngineSettings()) }
        let alone = try NodeOptions.parse([]).address(EngineSettings())
        #expect(alone?.shown == nil)
    }

    @Test("go before the settings for the URL of a node, and a chosen URL is not warned of")
    func chosenURL() throws {
        var settings = EngineSettings()
        settings.nodeURL = "http://films-2.example:8090"
        let named = try NodeOptions.parse(["--node-url", "http://films-1.example:8090"])
        let unnamed = try NodeOptions.parse([])
        #expect(try named.url(settings, port: 1).text == "http://films-1.example:8090")
        #expect(try unnamed.url(settings, port: 1).text == "http://films-2.example:8090")
        let url = try NodeURL(hostName: "films-3", port: 8090)
        let loopback = ListenAddress(host: "127.0.0.1", port: 8090)
        #expect(unnamed.warning(settings, url, listeningAt: loopback) == nil)
        #expect(named.warning(EngineSettings(), url, listeningAt: loopback) == nil)
        #expect(unnamed.warning(EngineSettings(), url, listeningAt: loopback) != nil)
    }

    @Test("have the fault of a node's URL in config.json")
    func wrongNodeURL() throws {
        var settings = EngineSettings()
        settings.nodeURL = "films-2.example"
        let failure = #expect(throws: CommandFailure.self) {
            try NodeOptions.parse([]).url(settings, port: 1)
        }
        #expect(failure?.message?.hasPrefix("node_url in config.json ") == true)
    }

    @Test(
        "of serve are checked before a store is made",
        arguments: [
            ["--allow-origin", "player.example"], ["--public-url", "media.example"],
            ["--public-url", "https://media.example/?x=1"], ["--trusted-proxy", "proxy.example"],
            ["--transfers", "0"], ["--transfers", "65"], ["--max-downloads", "65"],
            ["--origin-fallback", "sometimes"], ["--evict", "everything"],
            ["--node-url", "films-1.example"],
        ])
    func refusedByServe(_ words: [String]) {
        #expect(throws: (any Error).self) { try Serve.parse(words) }
    }

    @Test("of serve are taken up to their limits, and by themselves open the server to nobody")
    func takenByServe() throws {
        let usual = try Serve.parse([])
        #expect(!usual.lan && !usual.requireToken && !usual.demo && usual.originFallback == .never)
        let wanted = try Serve.parse([
            "--allow-origin", "https://player.example", "--allow-origin", "*", "--public-url",
            "https://media.example", "--trusted-proxy", "10.0.0.1", "--transfers", "64", "--max-downloads",
            "64", "--origin-fallback", "always",
        ])
        #expect(wanted.allowedOrigins.count == 2 && wanted.publicUrl == "https://media.example")
        #expect(wanted.transfers == 64 && wanted.maxDownloads == 64 && wanted.originFallback == .always)
        let least = try Serve.parse(["--transfers", "1", "--max-downloads", "1"])
        #expect(least.transfers == 1 && least.maxDownloads == 1)
    }

    @Test("take classes of eviction by name, all or none")
    func eviction() throws {
        #expect(try EvictionArgument.parse("none").isEmpty)
        #expect(try EvictionArgument.parse("watched,low-priority") == [.watched, .lowPriority])
        #expect(try EvictionArgument.parse("all") == Set(EvictionClass.allCases))
        #expect(throws: ValidationError.self) { try EvictionArgument.parse("watched,x") }
    }

    @Test("find a player by its path or in the folders of programs, if it can be run")
    func player() throws {
        let folder = try TemporaryDirectory()
        let text = try folder.write([1], to: "mpv")
        #expect(Play.find("/bin/sh")?.path == "/bin/sh")
        #expect(Play.find(text) == nil && Play.find("no-such-player") == nil)
        #expect(Play.find("sh")?.lastPathComponent == "sh")
    }
}

@Suite("The option for the file of a download")
struct OutputOptionTests {
    private func options(_ words: String...) throws -> OutputOptions { try OutputOptions.parse(words) }

    @Test("is shown as it was given")
    func text() throws {
        #expect(try options("-o", "/a/b.mp4", "--forget").text == " -o /a/b.mp4 --forget")
        #expect(try options("--output", "/a/b.mp4").text == " -o /a/b.mp4")
        #expect(try options().text.isEmpty)
    }

    @Test("takes one stream at most, and without a file any number")
    func streams() throws {
        let file = try options("-o", "/a/b.mp4")
        try file.check(streams: 1)
        #expect(throws: ValidationError.self) { try file.check(streams: 2) }
        try options().check(streams: 2)
    }

    @Test("wants a new file with a known ending in a folder that is there, and a command that waits")
    func place() throws {
        let folder = try TemporaryDirectory()
        let file = try options("-o", folder.file("film.mp4"))
        try file.check(isDetached: false)
        #expect(throws: ValidationError.self) { try file.check(isDetached: true) }
        try folder.write([1], to: "film.mp4")
        #expect(throws: ValidationError.self) { try file.check(isDetached: false) }
        for name in ["film.avi", "film", "none/film.mp4"] {
            let wrong = try options("-o", folder.file(name))
            #expect(throws: ValidationError.self, "\(name)") { try wrong.check(isDetached: false) }
        }
        let nothing = try options("--forget")
        #expect(throws: ValidationError.self) { try nothing.check(isDetached: false) }
        try options().check(isDetached: true)
    }

    @Test("refuses a transport stream for a variant whose codec has no place in one, and no other file")
    func codecs() throws {
        let fitting = AssetRendition.made("video", kind: .variant) { $0.codecs = "avc1.4d401e,mp4a.40.2" }
        let strange = AssetRendition.made("video", kind: .variant) { $0.codecs = "avc1.4d401e, Opus" }
        let audio = AssetRendition.made("audio", kind: .audio) { $0.codecs = "opus" }
        let file = try options("-o", "film.TS")
        try file.check([audio, fitting, strange])
        let failure = #expect(throws: CommandFailure.self) { try file.check([strange]) }
        #expect(failure?.status == CommandFailure.usage)
        #expect(failure?.message?.contains("for its codec Opus;") == true)
        try options("-o", "film.mp4").check([strange])
        try options().check([strange])
    }
}
