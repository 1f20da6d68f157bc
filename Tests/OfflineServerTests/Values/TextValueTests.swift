import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("Values as text")
struct TextValueTests {
    @Test(
        "an address to listen on may leave out its host, or all but the port",
        arguments: [
            ("127.0.0.1:8090", "127.0.0.1", 8090), ("[::1]:0", "::1", 0), (":8091", "127.0.0.1", 8091),
            ("8092", "127.0.0.1", 8092), ("localhost:80", "127.0.0.1", 80),
            ("0.0.0.0:65535", "0.0.0.0", 65535),
        ] as [(String, String, UInt16)])
    func listenAddresses(_ text: String, _ host: String, _ port: UInt16) {
        #expect(ListenAddress(text) == ListenAddress(host: host, port: port))
    }

    @Test(
        "an address without a port is refused",
        arguments: [
            "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "[::1]", "a:b", "1:2:x",
        ])
    func noListenAddresses(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test("the host is in URLs in the form that clients use")
    func urlHosts() {
        #expect(ListenAddress(host: "127.0.0.1", port: 1).urlHost == "127.0.0.1")
        #expect(ListenAddress(host: "::1", port: 1).urlHost == "[::1]")
        #expect(ListenAddress(host: "0.0.0.0", port: 1).urlHost == "127.0.0.1")
        #expect(ListenAddress(host: "::", port: 1).urlHost == "[::1]")
    }

    @Test(
        "numbers may be scaled",
        arguments: [
            ("2500000", 2_500_000), ("800k", 800_000), ("2.5M", 2_500_000), ("1G", 1e9), ("0", 0),
            ("1K", 1000),
        ])
    func scaled(_ text: String, _ value: Double) {
        #expect(ScaledNumber.parse(text) == value)
    }

    @Test(
        "a text that is not a number is refused",
        arguments: ["", "k", "1kk", "1T", "abc", "nan", "inf", "1e400", "9e99", "1 k", "1e15", "1000000G"])
    func notScaled(_ text: String) {
        #expect(ScaledNumber.parse(text) == nil)
    }

    @Test("rates and bit rates of nothing or less are refused", arguments: ["0", "-5", "-1k"])
    func noRates(_ text: String) {
        #expect(Bitrate(argument: text) == nil)
        #expect(ByteRate(argument: text) == nil)
    }

    @Test("the smallest rates are a byte and a bit a second")
    func smallestRates() {
        #expect(ByteRate(argument: "1")?.bytesPerSecond == 1)
        #expect(ByteRate(argument: "0.9") == nil && Bitrate(argument: "0.9") == nil)
        #expect(Bitrate(argument: "1")?.bitsPerSecond == 1)
    }

    @Test(
        "the largest numbers with a scale are a number or refused, and never end the program",
        arguments: ["999999999999G", "999999999999k", "1e11G"])
    func largeRates(_ text: String) {
        #expect((Bitrate(argument: text)?.bitsPerSecond ?? 1) > 0)
        #expect((ByteRate(argument: text)?.bytesPerSecond ?? 1) > 0)
    }

    @Test(
        "options of the program move behind the command",
        arguments: [
            (["--json", "list"], ["list", "--json"]),
            (
                ["--store", "/s", "--quiet", "list", "--limit", "1"],
                ["list", "--store", "/s", "--quiet", "--limit", "1"]
            ),
            (["--store=/s", "status", "T"], ["status", "--store=/s", "T"]),
            (["--json", "storage"], ["storage", "--json"]),
            (["--json", "storage", "show"], ["storage", "show", "--json"]),
            (["--json", "storage", "prune", "--dry-run"], ["storage", "prune", "--json", "--dry-run"]),
            (["list", "--json"], ["list", "--json"]), (["--version"], ["--version"]),
            (["--help"], ["--help"]),
            (["--json"], ["--json"]), (["--json", "--help"], ["--json", "--help"]), ([], []),
            (["--store"], ["--store"]),
            (["--unknown", "list"], ["--unknown", "list"]),
        ])
    func movedOptions(_ arguments: [String], _ moved: [String]) {
        #expect(GlobalOptions.moved(arguments) == moved)
    }

    @Test(
        "canonical extensions have the types that players expect",
        arguments: [
            ("ts", "video/mp2t"), ("m4s", "video/iso.segment"), ("mp4", "video/mp4"), ("aac", "audio/aac"),
            ("mp3", "audio/mpeg"), ("ac3", "audio/ac3"), ("ec3", "audio/eac3"),
            ("vtt", "text/vtt; charset=utf-8"),
            ("m3u8", "application/vnd.apple.mpegurl"), ("jpg", "image/jpeg"), ("png", "image/png"),
            ("webp", "image/webp"), ("key", "application/octet-stream"), ("exe", "application/octet-stream"),
        ])
    func mediaTypes(_ suffix: String, _ type: String) {
        #expect(MediaType.of(extension: suffix) == type)
    }

    @Test("columns are as wide as their widest cell, and lines end where their text ends")
    func tables() {
        var table = Table("A", "B")
        table.add("longer", "x")
        table.add("y", "")
        #expect(table.lines == ["A       B", "longer  x", "y"])
    }
}
