import AssetFiles
import AssetStore
import SidebandSubtitles
import Testing

@testable import APIDocuments

@Suite("Routes")
struct RouteTests {
    private static let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"

    @Test(
        "a media path and its route are each other's inverse",
        arguments: [
            ("master.m3u8", AssetResource.multivariantPlaylist), ("poster", .poster),
            ("video.mp4", .file(.mp4)), ("audio.m4a", .file(.m4a)), ("video.ts", .file(.ts)),
            ("manifest.mpd", .manifest),
            ("thumbnail", .thumbnail),
            ("dateranges", .dateRanges), ("session-data/3", .sessionData(3)),
            ("session-data/0", .sessionData(0)),
            ("interstitials/2.json", .interstitialList(2)), ("keys/1.key", .key(id: "1")),
            ("video-360p/media.m3u8", .mediaPlaylist(rendition: "video-360p")),
            ("video-360p/0.ts", .unit(rendition: "video-360p", .segment(0), extension: "ts")),
            ("audio-en/70001.m4s", .unit(rendition: "audio-en", .segment(70001), extension: "m4s")),
            ("audio-en/init-2.mp4", .unit(rendition: "audio-en", .initialization(2), extension: "mp4")),
            ("subtitles", .subtitleList), ("subtitles/en-GB.vtt", .subtitles("en-GB", .vtt)),
            ("subtitles/subtitles-en.ass", .subtitles("subtitles-en", .ass)),
            ("subtitles/subtitles-en/media.m3u8", .subtitlePlaylist("subtitles-en")),
            ("subtitles/subtitles-en/12.vtt", .subtitleSegment("subtitles-en", 12)),
            ("subtitles/en-GB/frame.png", .subtitleFrame("en-GB")),
            (
                "video/9223372036854775807.ts",
                .unit(rendition: "video", .segment(9_223_372_036_854_775_807), extension: "ts")
            ),
        ])
    func inverse(_ path: String, _ resource: AssetResource) throws {
        let token = try #require(AssetToken(Self.token))
        #expect(Route(path: "/assets/\(Self.token)/\(path)") == .asset(token, resource))
        #expect(resource.relativePath == path)
    }

    @Test("the few other paths have names of their own")
    func others() {
        #expect(Route(path: "/") == .library)
        #expect(Route(path: "/healthz") == .health)
        #expect(Route(path: "/readyz") == .readiness)
        #expect(Route(path: "/api/v1/assets") == .api(["assets"]))
        #expect(Route(path: "/api/v1/assets/X/verify") == .api(["assets", "X", "verify"]))
    }

    @Test("a page to watch has the token of its asset in the canonical spelling")
    func watching() throws {
        let token = try #require(AssetToken(Self.token))
        #expect(Route(path: "/watch/\(token)") == .watch(token))
        for path in ["x", Self.token.lowercased(), "", "\(token)A", "\(token)/x"] {
            #expect(Route(path: "/watch/\(path)") == nil, "\(path)")
        }
    }

    @Test("every path below an asset's address belongs to it, whatever it names there")
    func below() throws {
        let token = try #require(AssetToken(Self.token))
        for rest in ["master.m3u8", "nothing", "a/b/c", ""] {
            #expect(Route.token(above: "/assets/\(token)/\(rest)") == token, "\(rest)")
        }
        let others = [
            "/assets/\(token)", "/assets", "", "/", "assets/\(token)/x/y", "/watch/\(token)/x",
            "/assets/\(Self.token.lowercased())/x", "/assets/x/y", "x/assets/\(token)/y",
        ]
        for path in others { #expect(Route.token(above: path) == nil, "\(path)") }
    }

    @Test(
        "a number has one spelling, and an unknown name has no route",
        arguments: [
            "video/07.ts", "video/+7.ts", "video/-7.ts", "video/7", "video/.ts", "video/7.5.ts",
            "video/0x7.ts",
            "video/ 7.ts", "video/٧.ts", "video/9223372036854775808.ts", "video/init-.mp4",
            "video/init-01.mp4",
            "video/init--1.mp4", "video/init-init-1.mp4", "keys/1", "keys/1.KEY", "keys/0.ts", "keys/a/1.key",
            "master.M3U8", "master.m3u8/", "master.m3u8/media.m3u8/x", "poster.jpg", "Poster", "", "/",
            "video",
            "video/", "video//0.ts", "/video/0.ts", "video/0.ts/", "video/media.m3u8/0.ts", "video/x.ts",
            "subtitles/", "subtitles/en", "subtitles/.vtt", "subtitles/en.text", "subtitles/en/0.ts",
            "subtitles/en/a/0.vtt", "subtitles/en/frame.jpg", "%6Daster.m3u8", "video/%30.ts", "video/..",
        ])
    func refusals(_ path: String) {
        #expect(Route(path: "/assets/\(Self.token)/\(path)") == nil)
    }

    @Test(
        "a path that does not start with a token's canonical spelling is no asset's",
        arguments: [
            "/assets/\(token.lowercased())/master.m3u8", "/assets/\(token)A/master.m3u8",
            "/assets//master.m3u8",
            "/assets/\(token.dropLast())/master.m3u8", "/assets/01HZX3T5E8M9K2Q4R6S7V8W9XU/master.m3u8",
            "/assets/../master.m3u8", "/assets/%30\(token.dropFirst())/master.m3u8", "/assets/\(token)",
            "/assets",
            "//assets/\(token)/master.m3u8", "/Assets/\(token)/master.m3u8", "assets/\(token)/master.m3u8",
            "*", "",
            "/api", "/api/v1", "/api/v2/assets", "/healthz/", "/healthz/x", "/index.html",
            "/assets/\(token)/../poster", "/\u{650}", "/healthz\u{650}",
        ])
    func foreignPaths(_ path: String) {
        #expect(Route(path: path) == nil)
    }

    @Test("dots and other extensions are names that no asset has, never a way to another folder")
    func harmlessNames() throws {
        let token = try #require(AssetToken(Self.token))
        let dots = Route(path: "/assets/\(Self.token)/../0.ts")
        #expect(dots == .asset(token, .unit(rendition: "..", .segment(0), extension: "ts")))
        let other = Route(path: "/assets/\(Self.token)/video/0.exe")
        #expect(other == .asset(token, .unit(rendition: "video", .segment(0), extension: "exe")))
    }
}
