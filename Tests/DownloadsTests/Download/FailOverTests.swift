import Foundation
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
@testable import StoreReading

/// Redundant variants and pathways take the place of a host that fails.
@Suite(.timeLimit(.minutes(2)))
struct FailOverTests {
    /// Two origins with the same stream; the first one's multivariant playlist names both.
    private final class Pair: Sendable {
        let fixture: StoreFixture
        let other: OriginServer
        let media: [[UInt8]]

        init(_ master: (OriginServer, OriginServer) -> String) throws {
            fixture = try StoreFixture { $0.transfersPerAsset = 2 }
            other = try OriginServer()
            media = fixture.origin.serveStream("/v", count: 4)
            other.serveStream("/v", count: 4)
            for origin in [fixture.origin, other] { origin.serveStream("/en", count: 4, seed: 50) }
            fixture.origin.serve("/master.m3u8", text: master(fixture.origin, other))
        }

        func download() async throws -> Asset {
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            for (number, bytes) in media.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
            }
            return asset
        }

        func events(_ token: AssetToken) throws -> [AssetEvent] {
            try fixture.store.catalog.events.all(after: 0, limit: 1000).filter {
                $0.token == token && $0.kind == .failover
            }
        }

        func stop() async {
            await fixture.store.stop()
            other.stop()
        }
    }

    private static func redundant(_ first: OriginServer, _ second: OriginServer) -> String {
        Playlists.master(
            Playlists.variant("v/index.m3u8", 900_000),
            Playlists.variant(second.url("/v/index.m3u8"), 900_000))
    }

    private static func redundantIFrames(_ first: OriginServer, _ second: OriginServer) -> String {
        let tag = "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI="
        return Playlists.master(
            Playlists.variant("v/index.m3u8", 900_000), "\(tag)\"\(first.url("/i/index.m3u8"))\"",
            "\(tag)\"\(second.url("/i/index.m3u8"))\"")
    }

    @Test("a segment that its host has lost comes from a redundant variant, and an event reports it")
    func redundantVariant() async throws {
        let pair = try Pair(Self.redundant)
        pair.fixture.origin.fault("/v/s2.ts", .status(404))
        let asset = try await pair.download()
        #expect(pair.other.paths == ["/v/index.m3u8", "/v/s2.ts"])
        #expect(try pair.events(asset.token).map(\.reason) == ["127.0.0.1:\(pair.other.port)"])
        await pair.stop()
    }

    @Test("bytes of two hosts are never mixed, and a host that does not answer is left alone after its tries")
    func deadHost() async throws {
        let pair = try Pair(Self.redundant)
        for number in 1..<4 { pair.fixture.origin.fault("/v/s\(number).ts", .reset(after: 0)) }
        let asset = try await pair.download()
        #expect(pair.other.requests.allSatisfy { $0.header("If-Range") == nil })
        #expect(pair.fixture.origin.paths.count { $0.hasPrefix("/v/s") } <= 1 + 3 * FailOver.tries)
        #expect(try pair.events(asset.token).count == 1)
        await pair.stop()
    }

    @Test("a redundant variant whose playlist never comes holds up neither a pause nor the engine's end")
    func silentPlace() async throws {
        let pair = try Pair(Self.redundant)
        let store = pair.fixture.store
        pair.fixture.origin.fault("/v/s2.ts", .status(403))
        pair.other.fault("/v/index.m3u8", .holdHeader)
        let token = try await pair.fixture.add("/master.m3u8")
        try await eventually { pair.other.requests.count == 1 }
        try await store.perform(.pause, on: token)
        #expect(try store.reader.requireAsset(token).state == .paused)
        try await store.perform(.resume, on: token)
        try await eventually { pair.other.requests.count == 2 }
        await pair.stop()
        // It was not tried again, since a silent host is tried last.
        #expect(pair.other.requests.count == 2)
        #expect(try StoreReader(root: pair.fixture.root).requireAsset(token).state == .queued)
    }

    @Test("a playlist that can't be read is read from the redundant variant")
    func playlist() async throws {
        let pair = try Pair(Self.redundant)
        pair.fixture.origin.fault("/v/index.m3u8", .status(404))
        _ = try await pair.download()
        #expect(pair.other.paths.count { $0.hasSuffix(".ts") } == 4)
        await pair.stop()
    }

    @Test("I-frames of a transport stream are fetched from a redundant playlist with their tables")
    func iFrames() async throws {
        let pair = try Pair(Self.redundantIFrames)
        let media = Media.ts(50)
        let frames = [376, 2256, 4136, 6016].map { "#EXT-X-BYTERANGE:1880@\($0)\na.ts" }
        for origin in [pair.fixture.origin, pair.other] {
            origin.serve("/i/a.ts", bytes: media)
            origin.serve("/i/index.m3u8", text: Playlists.media(frames, tags: "#EXT-X-I-FRAMES-ONLY\n"))
        }
        pair.fixture.origin.fault("/i/a.ts", .status(404))
        let asset = try await pair.fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
        #expect(asset.state == .complete && asset.renditions.allSatisfy(\.isComplete))
        #expect(pair.fixture.origin.paths.contains("/i/a.ts"))
        #expect(try pair.fixture.stored(asset.token, "iframes/init-0.mp4") == Array(media[..<376]))
        #expect(try pair.fixture.stored(asset.token, "iframes/0.ts") == Array(media[376..<2256]))
        await pair.stop()
    }

    @Test("of a part, the initialization section of its segments is fetched from another host")
    func sectionOfPart() async throws {
        let pair = try Pair(Self.redundant)
        let text = Playlists.media(
            (0..<4).map { "#EXT-X-MAP:URI=\"i\($0 / 2).mp4\"\nm\($0).m4s" })
        for origin in [pair.fixture.origin, pair.other] {
            origin.serve("/v/index.m3u8", text: text)
            for number in 0..<2 {
                origin.serve("/v/i\(number).mp4", bytes: Media.initialization(UInt64(number + 1)))
            }
            for number in 0..<4 {
                origin.serve("/v/m\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
            }
        }
        pair.fixture.origin.fault("/v/i1.mp4", .status(404))
        let asset = try await pair.fixture.download("/master.m3u8") { $0.selection.start = 8 }
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(try pair.fixture.stored(asset.token, "video/init-0.mp4") == Media.initialization(2))
        #expect(pair.other.paths == ["/v/index.m3u8", "/v/i1.mp4"])
        await pair.stop()
    }

    @Test("of a part, I-frames of a transport stream have the tables of their discontinuity")
    func iFramesOfPart() async throws {
        let pair = try Pair(Self.redundantIFrames)
        let media = ["a.ts": Media.ts(50, seed: 50), "b.ts": Media.ts(50, seed: 60)]
        let frames = [
            "#EXT-X-BYTERANGE:1880@376\na.ts", "#EXT-X-BYTERANGE:1880@2256\na.ts",
            "#EXT-X-DISCONTINUITY\n#EXT-X-BYTERANGE:1880@376\nb.ts", "#EXT-X-BYTERANGE:1880@2256\nb.ts",
        ]
        for origin in [pair.fixture.origin, pair.other] {
            for (name, bytes) in media { origin.serve("/i/\(name)", bytes: bytes) }
            origin.serve("/i/index.m3u8", text: Playlists.media(frames, tags: "#EXT-X-I-FRAMES-ONLY\n"))
        }
        pair.fixture.origin.fault("/i/b.ts", .status(404))
        let asset = try await pair.fixture.download("/master.m3u8") {
            ($0.selection.trickPlay, $0.selection.start) = (true, 8)
        }
        #expect(asset.state == .complete && asset.renditions.allSatisfy(\.isComplete))
        let bytes = media["b.ts"] ?? []
        #expect(try pair.fixture.stored(asset.token, "iframes/init-0.mp4") == Array(bytes[..<376]))
        #expect(try pair.fixture.stored(asset.token, "iframes/2.ts") == Array(bytes[376..<2256]))
        await pair.stop()
    }

    @Test("if no other address has it, the reason is that of its own host")
    func nowhere() async throws {
        let pair = try Pair(Self.redundant)
        pair.fixture.origin.fault("/v/s2.ts", .status(403))
        pair.other.fault("/v/s2.ts", .status(404))
        let asset = try await pair.fixture.download("/master.m3u8")
        #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
        #expect(try pair.events(asset.token).isEmpty)
        await pair.stop()
    }

    @Test("another stream behind a redundant variant is not taken")
    func anotherStream() async throws {
        let pair = try Pair(Self.redundant)
        pair.fixture.origin.fault("/v/s2.ts", .status(404))
        pair.other.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts", "s2.ts"]))
        let asset = try await pair.fixture.download("/master.m3u8")
        #expect(asset.state == .failed && pair.other.paths == ["/v/index.m3u8"])
        await pair.stop()
    }

    @Test("pathways replace each other with all their groups, in the steering server's order")
    func pathways() async throws {
        let third = try OriginServer()
        third.serveStream("/v", count: 4)
        third.serveStream("/en", count: 4, seed: 50)
        let pair = try Pair { first, second in
            let names = [("A", first), ("B", second), ("C", third)]
            let lines = names.flatMap { name, origin in
                [
                    Playlists.rendition(
                        "AUDIO", "audio-\(name)", "en", origin.url("/en/index.m3u8"), "DEFAULT=YES"),
                    Playlists.variant(
                        origin.url("/v/index.m3u8"), 900_000,
                        "PATHWAY-ID=\"\(name)\",AUDIO=\"audio-\(name)\""),
                ]
            }
            return "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steering?k=1\",PATHWAY-ID=\"A\"\n"
                + lines.joined(separator: "\n") + "\n"
        }
        pair.fixture.origin.serve(
            "/steering", text: #"{"VERSION": 1, "TTL": 60, "PATHWAY-PRIORITY": ["C", "B", "A"]}"#)
        for path in ["/v/s1.ts", "/en/s3.ts"] { pair.fixture.origin.fault(path, .status(503)) }
        let asset = try await pair.download()
        #expect(pair.other.paths.isEmpty)
        #expect(Set(third.paths).isSuperset(of: ["/v/s1.ts", "/en/s3.ts"]))
        #expect(try pair.events(asset.token).map(\.reason) == ["127.0.0.1:\(third.port)"])
        #expect(pair.fixture.origin.requests(for: "/steering").count == 1)
        let master = try pair.fixture.master(asset.token)
        #expect(!master.contains("STEERING") && !master.contains("PATHWAY"))
        await pair.stop()
        third.stop()
    }

    @Test("a parameter of a clone replaces the one of the same name")
    func parameters() throws {
        let text = """
            {"VERSION": 1, "PATHWAY-CLONES": [{"BASE-ID": "A", "ID": "X", "URI-REPLACEMENT": {
             "HOST": "other.test", "PARAMS": {"a b": "2", "token": "new"}}}]}
            """
        let manifest = try JSONDecoder().decode(SteeringManifest.self, from: Data(text.utf8))
        let clone = try #require(manifest.clones.first)
        func url(_ query: String) -> String {
            clone.applied(
                to: AlternativeStreams.Candidate(
                    url: "https://one.test/v.m3u8\(query)", pathway: "A", isRendition: false, isOwn: true)
            ).url
        }
        let set = "a%20b=2&token=new"
        #expect(url("?token=old&id=7&a+b=1") == "https://other.test/v.m3u8?id=7&\(set)")
        #expect(url("?id=%2F&a%20b=1&tokens=1") == "https://other.test/v.m3u8?id=%2F&tokens=1&\(set)")
        #expect(url("") == "https://other.test/v.m3u8?\(set)")
    }

    @Test("a clone of a pathway is another place, too")
    func clone() async throws {
        let pair = try Pair { first, _ in
            "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steering\",PATHWAY-ID=\"A\"\n"
                + Playlists.variant("v/index.m3u8", 900_000, "PATHWAY-ID=\"A\"") + "\n"
        }
        pair.fixture.origin.serve(
            "/steering",
            text: """
                {"VERSION": 1, "PATHWAY-PRIORITY": ["X", "A"], "PATHWAY-CLONES": [{"BASE-ID": "A", "ID": "X",
                 "URI-REPLACEMENT": {"HOST": "127.0.0.1:\(pair.other.port)", "PARAMS": {"a b": "c&d"}}}]}
                """)
        pair.fixture.origin.fault("/v/s1.ts", .status(404))
        _ = try await pair.download()
        #expect(pair.other.paths.contains("/v/s1.ts"))
        #expect(pair.other.requests.first?.query == "a%20b=c%26d")
        await pair.stop()
    }
}
