import ArgumentParser
import AssetStore
import Logging
import TestSupport
import Testing

@testable import OfflineServerCommands

@Suite("The options of a command")
struct CommandOptionTests {
    /// The parser's message about words that it refuses; `nil` if it takes them.
    private func refusal<Options: ParsableArguments>(_ type: Options.Type, _ words: [String]) -> String? {
        do { _ = try Options.parse(words) } catch { return Options.message(for: error) }
        return nil
    }

    @Test(
        "for a bucket are refused without the bucket",
        arguments: [
            ["--s3-endpoint", "https://s3.test"], ["--s3-region", "eu"], ["--s3-addressing", "host"],
            ["--s3-ca", "ca.pem"], ["--s3-credentials", "file"], ["--cache-size", "1G"],
        ])
    func bucketless(_ words: [String]) {
        #expect(refusal(BucketOptions.self, words)?.contains("need --media s3://") == true)
    }

    @Test("for a bucket are refused without an endpoint, and with a form of requests that there is not")
    func bucket() throws {
        let bucket = ["--media", "s3://films/a"]
        let whole = bucket + ["--s3-endpoint", "https://s3.test"]
        #expect(refusal(BucketOptions.self, bucket)?.contains("wants --s3-endpoint") == true)
        let other = ["--media", "https://films", "--s3-endpoint", "https://s3.test"]
        #expect(refusal(BucketOptions.self, other)?.contains("wants s3://BUCKET") == true)
        for form in ["path", "host"] {
            #expect(refusal(BucketOptions.self, whole + ["--s3-addressing", form]) == nil)
        }
        let form = refusal(BucketOptions.self, whole + ["--s3-addressing", "x"])
        #expect(form?.contains("wants path or host") == true)
        #expect(refusal(BucketOptions.self, whole) == nil && refusal(BucketOptions.self, []) == nil)
        let none = try BucketOptions.parse([]).settings()
        #expect(none == nil)
    }

    @Test("for a recording describe it, and are refused without --live")
    func recordings() throws {
        for words in [["--from-start"], ["--duration", "90s"]] {
            #expect(refusal(LiveOptions.self, words)?.contains("need --live") == true, "\(words)")
            #expect(refusal(LiveOptions.self, words + ["--live"]) == nil, "\(words)")
        }
        #expect(try LiveOptions.parse([]).recording == nil)
        #expect(try LiveOptions.parse(["--live"]).recording == Selection.Recording())
        let whole = try LiveOptions.parse(["--live", "--from-start", "--duration", "90s"]).recording
        #expect(whole?.fromStart == true && whole?.duration == 90)
    }

    @Test("for a license are its terms, of which a purchase and a rental exclude each other")
    func licenses() throws {
        let both = refusal(LicenseOptions.self, ["--purchase", "--rental", "30d"])
        #expect(both?.contains("exclude each other") == true)
        #expect(try LicenseOptions.parse([]).given == nil)
        #expect(try LicenseOptions.parse(["--purchase"]).given == LicenseTerms())
        #expect(try LicenseOptions.parse(["--rental", "2h"]).given == LicenseTerms(rental: 7200))
        let window = try LicenseOptions.parse(["--purchase", "--play-window", "1h"]).given
        #expect(window == LicenseTerms(playWindow: 3600))
        #expect(try LicenseOptions.parse(["--play-window", "1h"]).given == window)
    }

    @Test("for a list name at least one stream, and with --next at least one")
    func lists() throws {
        #expect(refusal(ListOptions.self, ["a", "--next", "0"])?.contains("must be above 0") == true)
        #expect(refusal(ListOptions.self, ["a", "--next", "1"]) == nil)
        #expect(refusal(ListOptions.self, ["--next", "1"])?.contains("at least one URL") == true)
        #expect(refusal(ListOptions.self, ["--input", "list"]) == nil)
        let folder = try TemporaryDirectory()
        let file = try folder.write(Array("c\n".utf8), to: "list")
        let all = try ListOptions.parse(["a", "b", "--input", file]).all()
        #expect(all.map(\.text) == ["a", "b", "c"] && all.map { $0.place == nil } == [true, true, false])
    }

    @Test("for a part of a stream are refused for a recording")
    func parts() {
        let live = ["http://a.test/", "--live"]
        for part in [["--from", "5"], ["--to", "5"]] {
            let told = refusal(Download.self, live + part)
            #expect(told?.contains("do not apply to a recording") == true, "\(part)")
            #expect(refusal(Download.self, ["http://a.test/"] + part) == nil, "\(part)")
        }
        #expect(refusal(Download.self, live) == nil)
    }

    @Test("for names and tags of a download refuse what is none")
    func names() {
        let url = "http://a.test/"
        #expect(refusal(Download.self, [url, "--name", ""]) == AssetName.rule)
        #expect(refusal(Download.self, [url, "--name", "Film", "--tag", "a", "--meta", "a="]) == nil)
        #expect(refusal(Download.self, [url, "--tag", "a", "--tag", "b,c"])?.contains("--tag wants") == true)
    }

    @Test("for the file of a download need a command that waits for it, and a name that is free")
    func output() throws {
        let folder = try TemporaryDirectory()
        let words = ["http://a.test/", "-o", folder.file("film.mp4")]
        #expect(refusal(Download.self, words) == nil)
        for flag in ["--detach", "--dry-run"] {
            let told = refusal(Download.self, words + [flag])
            #expect(told?.contains("leave out --detach and --dry-run") == true, "\(flag)")
            #expect(refusal(Download.self, ["http://a.test/", flag]) == nil, "\(flag)")
        }
        try folder.write([1], to: "film.mp4")
        #expect(refusal(Download.self, words)?.contains("There is a file") == true)
    }

    @Test("for the keys of an exported folder are refused for a file, and those of files for a folder")
    func exports() {
        let key = String(repeating: "ab", count: 32)
        for words in [["--keys-for", key], ["--with-keys"], ["--with-source"]] {
            let told = refusal(Export.self, ["T", "film.mp4"] + words)
            #expect(told?.contains("are for folders") == true, "\(words)")
        }
        #expect(refusal(Export.self, ["T", "films", "--with-keys", "--with-source"]) == nil)
        for words in [
            ["--video", "v"], ["--audio", "de"], ["--subtitles", "none"], ["--skip-gaps"], ["--parts"],
            ["--force"],
        ] {
            #expect(refusal(Export.self, ["T", "films"] + words)?.contains("are for files") == true)
            #expect(refusal(Export.self, ["T", "film.mp4"] + words) == nil, "\(words)")
        }
    }

    @Test("for the tracks of a file are refused if the file has no place for them")
    func tracks() {
        for name in ["film.ts", "film.m4a"] {
            let told = refusal(Export.self, ["T", name, "--subtitles", "de"])
            #expect(told?.contains("is for .mp4 and .mkv") == true, "\(name)")
            #expect(refusal(Export.self, ["T", name, "--subtitles", "none", "--parts"]) == nil, "\(name)")
        }
        #expect(refusal(Export.self, ["T", "film.mkv", "--subtitles", "de"]) == nil)
        let parts = refusal(Export.self, ["T", "film.mkv", "--parts"])
        #expect(parts?.contains("--parts is for") == true)
    }

    @Test("for the access to an origin take proxies of known kinds, also without a kind")
    func proxies() {
        for proxy in ["proxy.test:3128", "SOCKS5H://proxy.test", "https://proxy.test", "http://proxy.test"] {
            #expect(refusal(AccessOptions.self, ["--proxy", proxy]) == nil, "\(proxy)")
        }
        for proxy in ["", "://proxy.test", "ftp://proxy.test", "http://"] {
            let told = refusal(AccessOptions.self, ["--proxy", proxy])
            #expect(told?.contains("--proxy wants") == true, "\(proxy)")
        }
    }

    @Test("for the access to an origin take a cookie file only if it has a cookie")
    func cookies() throws {
        let folder = try TemporaryDirectory()
        let text = "a.test\tFALSE\t/\tFALSE\t0\tname\tvalue\n"
        let file = try folder.write(Array(text.utf8), to: "cookies")
        #expect(try AccessOptions.parse(["--cookie-jar", file]).access().cookies == text)
        try folder.write(Array("name=value\n".utf8), to: "cookies")
        let told = refusal(AccessOptions.self, ["--cookie-jar", file])
        #expect(told?.contains("has no cookie") == true)
    }

    @Test("for the access to an origin say nothing of it if none is given")
    func access() throws {
        #expect(try AccessOptions.parse([]).access() == OriginAccess())
        let words = ["--header", "A: b", "--header-for", "*.test C: d", "--user-agent", "Agent"]
        let access = try AccessOptions.parse(words).access()
        #expect(access.headers == [["A", "b"]] && access.userAgent == "Agent")
        #expect(access.hostHeaders == [HostHeader(hosts: "*.test", name: "C", value: "d")])
    }

    @Test("for the database of a shared store name one")
    func databases() {
        let none = refusal(Doctor.self, ["--catalog", "films"])
        #expect(none?.hasPrefix("--catalog: ") == true)
        #expect(refusal(Doctor.self, ["--cluster"]) == nil)
    }

    @Test("for all commands make the log complete with --verbose, and quiet without it")
    func logs() throws {
        #expect(try GlobalOptions.parse(["--verbose"]).log(.error).logLevel == .debug)
        #expect(try GlobalOptions.parse([]).log(.error).logLevel == .error)
        #expect(try GlobalOptions.parse([]).log().logLevel == .critical)
    }
}
