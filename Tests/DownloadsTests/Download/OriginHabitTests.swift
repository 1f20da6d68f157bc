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

/// Origins that are odd, and still have everything that was asked for.
struct OriginHabitTests {
    @Test("segments with an unrequested content coding are stored decoded")
    func compressed() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .gzip, times: 100)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == segments[1])
        }
    }

    @Test("media that is labelled as a web page is media")
    func mislabelled() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/s1.ts", bytes: segments[1], contentType: "text/html")
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == segments[1])
        }
    }

    @Test("a cookie that the playlist sets goes to the segments, also after the engine has started anew")
    func cookies() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/index.m3u8", .header("Set-Cookie: sid=42; Path=/"), times: 100)
            fixture.origin.fault("/v/s0.ts", .requireCookie("sid=42"), times: 100)
            fixture.origin.fault("/v/s1.ts", .requireCookie("sid=42"), times: 100)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }

    @Test(
        "an empty segment is never taken for a stored one, encrypted or not",
        arguments: ["", "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"])
    func empty(_ tags: String) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Array("0123456789abcdef".utf8))
            fixture.origin.serveStream("/v", count: 2, tags: tags)
            fixture.origin.serve("/v/s1.ts", bytes: [])
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "integrity")
            #expect(!asset.availability.offline)
        }
    }

    @Test(
        "an empty segment of subtitles is one without cues, if it is empty as far as the origin says",
        arguments: ["", "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"], [false, true])
    func emptySubtitles(_ tags: String, isUnmeasured: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Array("0123456789abcdef".utf8))
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serveSubtitles("/s")
            fixture.origin.serve("/s/index.m3u8", text: Playlists.media(["s0.vtt", "s1.vtt"], tags: tags))
            for name in ["s0", "s1"] { fixture.origin.serve("/s/\(name).vtt", bytes: []) }
            if isUnmeasured {
                for fault in [OriginFault.closeDelimited, .ignoreRange] {
                    fixture.origin.fault("/s/s1.vtt", fault)
                }
            }
            fixture.origin.serve(
                "/m.m3u8",
                text: Playlists.master(
                    Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, "SUBTITLES=\"s\"")))
            let asset = try await fixture.download("/m.m3u8")
            let isTaken = tags.isEmpty && !isUnmeasured
            let blank = Array("WEBVTT\n\n".utf8)
            #expect(try fixture.stored(asset.token, "subtitles-en/1.vtt") == (isTaken ? blank : nil))
            let units = try fixture.units(asset.token, "subtitles-en").filter { $0.number == 1 }
            #expect(units.map(\.size) == (isTaken ? [8] : [nil]))
            if isTaken { #expect(fixture.origin.requests(for: "/s/s1.vtt").count == 1) }
        }
    }

    private static let message = #"{"error": "too many requests, come again in a while"}"#

    /// Downloads a stream whose first segment, or second one, is answered with a message and status 200 at first.
    private func spoken(
        _ name: String, times: Int, check: @Sendable (StoreFixture, Asset, [[UInt8]]) throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 2)
            let fault = OriginFault.status(
                200, headers: ["Content-Type: video/mp2t"], body: Self.message)
            fixture.origin.fault("/v/\(name).ts", fault, times: times)
            if name == "s1" { fixture.origin.fault("/v/s1.ts", .delay(milliseconds: 100), times: 1) }
            try check(fixture, try await fixture.download("/v/index.m3u8"), segments)
        }
    }

    @Test("a message with status 200 is no media: the segment is asked for again", arguments: ["s0", "s1"])
    func message(_ name: String) async throws {
        try await spoken(name, times: 1) { fixture, asset, segments throws in
            #expect(asset.state == .complete)
            for (number, bytes) in segments.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
            }
            #expect(fixture.origin.requests(for: "/v/\(name).ts").count == 2)
        }
    }

    @Test("an origin that has sent media and then sends only messages fails with that reason")
    func messageForever() async throws {
        try await spoken("s1", times: .max) { fixture, asset, _ throws in
            #expect(asset.state == .failed)
            #expect(asset.failure?.message.hasPrefix("text came instead of media") == true)
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
        }
    }

    @Test("a message instead of subtitles is asked for again")
    func messageForSubtitles() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serveSubtitles("/s")
            let subtitles =
                #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="E",LANGUAGE="en",URI="s/index.m3u8""#
            let variant = #"#EXT-X-STREAM-INF:BANDWIDTH=1000,SUBTITLES="s""#
            fixture.origin.serve("/m.m3u8", text: "#EXTM3U\n\(subtitles)\n\(variant)\nv/index.m3u8\n")
            fixture.origin.fault("/s/s1.vtt", .status(200, body: Self.message), times: 1)
            let asset = try await fixture.download("/m.m3u8")
            #expect(asset.state == .complete)
            let stored = try fixture.stored(asset.token, "subtitles-en/1.vtt") ?? []
            #expect(String(decoding: stored, as: UTF8.self).hasPrefix("WEBVTT"))
        }
    }

    @Test(
        "a stream that delivers only text is refused, even if its address has the name of media",
        arguments: ["s0.ts", "s0"])
    func textOnly(_ name: String) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media([name]))
            fixture.origin.serve("/v/\(name)", text: "no media, but all that there is")
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.hasPrefix("text came instead of media") == true)
        }
    }

    @Test(
        "an origin that always sends wrong ranges is asked for the whole, and the range is cut from it"
    )
    func wrongParts() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = (1...3).map { Media.ts(10, seed: UInt64($0)) }
            let length = media[0].count
            let entries = media.indices.map {
                "#EXTINF:4,\n#EXT-X-BYTERANGE:\(length)@\($0 * length)\nall.ts\n"
            }
            fixture.origin.serve("/v/all.ts", bytes: Array(media.joined()))
            fixture.origin.serve(
                "/v/index.m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(entries.joined())#EXT-X-ENDLIST\n")
            fixture.origin.fault("/v/all.ts", .contentRange("bytes 7-99/100"))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            for (number, bytes) in media.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
            }
        }
    }

    @Test(
        "if only the end of the connection tells the length, an origin with ranges is asked for more bytes"
    )
    func openEnd() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .closeDelimited, times: 1)
            fixture.origin.fault("/v/s1.ts", .truncate(after: 188 * 3), times: 1)
            fixture.origin.fault("/v/s2.ts", .closeDelimited)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            for (number, bytes) in segments.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
            }
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [200, 206])
            #expect(fixture.origin.requests(for: "/v/s2.ts").map(\.status) == [200, 416])
        }
    }

    @Test(
        "a segment without a recognizable end from an origin that sends no length is accepted when two transfers agree",
        arguments: [("s0.aac", ""), ("s0.ts", "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n")])
    func unmeasured(_ name: String, _ tags: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Array("0123456789abcdef".utf8)
            let bytes =
                tags.isEmpty
                ? SampleMedia.adts([400, 400, 400, 400])
                : SampleMedia.encrypted(Media.ts(8), key: key, number: 0)
            fixture.origin.serve("/k.key", bytes: key)
            fixture.origin.serve("/index.m3u8", text: Playlists.media([name], tags: tags))
            fixture.origin.serve("/\(name)", bytes: bytes)
            fixture.origin.fault("/\(name)", .noValidators, times: .max)
            fixture.origin.fault("/\(name)", .closeDelimited, times: .max)
            fixture.origin.fault("/\(name)", .truncate(after: 800), times: 1)
            let asset = try await fixture.download("/index.m3u8")
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            let file = "video/0.\(name.suffix(3).drop { $0 == "." })"
            #expect(try fixture.stored(asset.token, file) == bytes)
            #expect(fixture.origin.requests(for: "/\(name)").count == 3)
        }
    }

    @Test(
        "a playlist that was cut is fetched whole if only the end of the connection tells its length",
        arguments: ["/v/index.m3u8", "/m.m3u8"], ["in a line", "at its end"])
    func cutPlaylist(_ path: String, _ place: String) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let variants = (0..<2).map { Playlists.variant("v/index.m3u8?\($0)", 900_000 + $0) }
            let master = Playlists.master(variants[0], variants[1])
            fixture.origin.serve("/m.m3u8", text: master)
            let text = path == "/m.m3u8" ? master : Playlists.media((0..<4).map { "s\($0).ts" })
            let lastLine = (text.split(separator: "\n").last?.utf8.count ?? 0) + 1
            let cut = text.utf8.count - lastLine - (place == "in a line" ? 3 : 0)
            fixture.origin.fault(path, .closeDelimited)
            fixture.origin.fault(path, .truncate(after: cut), times: 1)
            let asset = try await fixture.download("/m.m3u8") { $0.selection.allVariants = true }
            #expect(asset.state == .complete)
            #expect(asset.renditions.map(\.segments) == [4, 4])
        }
    }

    @Test("a playlist with EXT-X-ENDLIST is not requested twice")
    func endedPlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .closeDelimited)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
            #expect(fixture.origin.requests(for: "/v/index.m3u8").count == 1)
        }
    }

    @Test(
        "redirects that go round in circles are followed again a few times",
        arguments: [(2, 3), (Int.max, 4)])
    func circles(_ times: Int, _ expected: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/round.ts", text: "")
            fixture.origin.fault("/v/round.ts", .redirect(to: "/v/round.ts"))
            fixture.origin.fault("/v/s1.ts", .redirect(to: "/v/round.ts"), times: times)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == (times == 2 ? .complete : .failed))
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == expected)
        }
    }
}
