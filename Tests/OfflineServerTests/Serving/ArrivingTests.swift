import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// A segment that is served while it arrives. The origin stops in the middle until the test releases it.
@Suite("Segments that are arriving", .fewAtOnce, .timeLimit(.minutes(2)))
struct ArrivingTests {
    private static let stall = 30000
    private static let bytes = SampleStream.video(0)

    /// Runs `body` when the origin has sent the first bytes of the first video segment and holds back the rest.
    private func arriving(
        _ faults: [OriginFault] = [], _ body: (Site, OriginServer, AssetToken, String) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for fault in [.stall(after: Self.stall)] + faults { origin.fault("/video/0.ts", fault, times: 1) }
        try await withSite { site in
            let token = try await site.download(url)
            try await eventually { !origin.requests(for: "/video/0.ts").isEmpty }
            try await body(site, origin, token, "/assets/\(token)/video-360p/0.ts")
        }
        origin.stop()
    }

    /// A GET whose first `count` body bytes have come.
    private func begun(_ site: Site, _ path: String, _ count: Int, range: String? = nil) async throws
        -> ReadResponse
    {
        try await ReadResponse(of: path, site, until: count, range: range)
    }

    @Test("received bytes come at once, the rest as it arrives, and caches may share it for a minute")
    func streamed() async throws {
        try await arriving { site, origin, _, path in
            let begun = try await begun(site, path, Self.stall)
            #expect(Array(begun.soFar.body.prefix(Self.stall)) == Array(Self.bytes[..<Self.stall]))
            let reply = try await releasing(origin) { try await begun.rest() }
            #expect(reply.status == 200)
            #expect(reply.isWhole)
            #expect(reply.body == Self.bytes)
            #expect(reply["Content-Type"] == "video/mp2t")
            #expect(reply["Cache-Control"] == "public, max-age=60")
        }
    }

    @Test("a range of received bytes comes at once, another one when its bytes arrive")
    func ranges() async throws {
        try await arriving { site, origin, _, path in
            _ = try await begun(site, path, 1)
            let early = try await site.get(path, ["Range": "bytes=1000-1999"])
            #expect(early.status == 206)
            #expect(early["Content-Range"] == "bytes 1000-1999/65536")
            #expect(early.body == Array(Self.bytes[1000...1999]))
            let late = try await begun(site, path, 0, range: "bytes=29000-60000")
            let suffix = try await begun(site, path, 0, range: "bytes=-10")
            let (reply, end) = try await releasing(origin) {
                (try await late.rest(), try await suffix.rest())
            }
            #expect(reply.status == 206)
            #expect(reply.body == Array(Self.bytes[29000...60000]))
            #expect(end.body == Array(Self.bytes.suffix(10)))
        }
    }

    @Test("HEAD has the fields of GET, at once and without a body")
    func head() async throws {
        try await arriving { site, _, _, path in
            let begun = try await begun(site, path, 1)
            let head = try await site.request("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty)
            for name in ["Content-Length", "Content-Type", "Cache-Control", "Accept-Ranges", "ETag"] {
                #expect(head[name] == begun.soFar[name], "\(name)")
            }
            #expect(head["Content-Length"] == "65536")
        }
    }

    @Test("a length that the origin has not announced is not announced either, and ranges are ignored")
    func unknownLength() async throws {
        try await arriving([.chunked]) { site, _, _, path in
            let begun = try await begun(site, path, 1, range: "bytes=99999-")
            #expect(begun.soFar.status == 200 && begun.soFar["Accept-Ranges"] == nil)
            for (fields, status) in [([:], 200), (["If-None-Match": "*"], 304)] as [([String: String], Int)] {
                let head = try await site.request("HEAD", path, fields)
                #expect(head.status == status && head["Content-Length"] == nil)
                #expect(head["Transfer-Encoding"] == nil && head.body.isEmpty)
            }
        }
    }

    @Test("a range beyond their end is refused, and If-Range gives the whole: no tag names the version yet")
    func rangesWithoutVersion() async throws {
        try await arriving { site, origin, _, path in
            _ = try await begun(site, path, 1)
            let beyond = try await site.get(path, ["Range": "bytes=65536-"])
            #expect(beyond.status == 416 && beyond["Content-Range"] == "bytes */65536")
            let whole = try await ReadResponse(
                of: path, site, until: 1, range: "bytes=0-9", fields: ["If-Range": "\"x\""])
            #expect(whole.soFar.status == 200 && whole.soFar["Content-Length"] == "65536")
            let reply = try await releasing(origin) { try await whole.rest() }
            #expect(reply.isWhole && reply.body == Self.bytes)
        }
    }

    @Test("when the rest never comes, the response breaks off and is not taken for the whole")
    func brokenOff() async throws {
        try await arriving([.truncate(after: 40000)]) { site, origin, token, path in
            let begun = try await begun(site, path, Self.stall)
            origin.fault("/video/0.ts", .status(403))
            let reply = try await releasing(origin) { try await begun.rest() }
            #expect(reply.status == 200)
            #expect(!reply.isWhole)
            #expect(Self.bytes.starts(with: reply.body))
            await site.server.store.untilSettled(token)
            let after = try await site.get(path)
            #expect(after.status == 503)
            #expect(after["Retry-After"] != nil)
            #expect(after.object["token"] as? String == token.description)
        }
    }

    @Test(
        "the end of the transfer breaks off the answer, so that no client takes it for the whole",
        arguments: [AssetAction.pause, .cancel, .remove])
    func ended(_ action: AssetAction) async throws {
        try await arriving { site, origin, token, path in
            let begun = try await begun(site, path, Self.stall)
            let store = site.server.store
            if action == .remove {
                try await store.remove(token)
            } else {
                try await store.perform(action, on: token)
            }
            let reply = try await begun.rest()
            #expect(reply.status == 200 && !reply.isWhole)
            #expect(Self.bytes.starts(with: reply.body))
            let after = try await site.get(path)
            #expect(after.status == (action == .remove ? 404 : 503))
            guard action != .remove else { return }
            try await store.perform(.resume, on: token)
            let again = try await releasing(origin) { try await site.get(path) }
            let isRight = again.body == Self.bytes
            #expect(isRight)
        }
    }

    @Test("when the connection to the origin breaks, the response continues with the resumed bytes")
    func resumed() async throws {
        try await arriving([.truncate(after: 40000)]) { site, origin, _, path in
            let begun = try await begun(site, path, Self.stall)
            let reply = try await releasing(origin) { try await begun.rest() }
            #expect(reply.isWhole)
            #expect(reply.body == Self.bytes)
            #expect(origin.requests(for: "/video/0.ts").last?.offset == 40000)
        }
    }

    @Test("when the segment changes at the origin in the middle, no response mixes the two versions")
    func changed() async throws {
        try await arriving([.truncate(after: 40000)]) { site, origin, token, path in
            let begun = try await begun(site, path, Self.stall)
            let other = SampleStream.otherVideo
            origin.serve("/video/0.ts", bytes: other)
            let reply = try await releasing(origin) { try await begun.rest() }
            if reply.isWhole { #expect(reply.body == Self.bytes || reply.body == other) }
            await site.server.store.untilSettled(token)
            #expect(try await site.get(path).body == other)
        }
    }

    @Test("during its download an asset has all of its playlists, and none of them points to the network")
    func playlistsDuringTheDownload() async throws {
        let origin = try OriginServer()
        let url = SampleStream(base: origin.url("/")).publish(on: origin)
        for number in 0..<SampleStream.segments { origin.fault("/video/\(number).ts", .holdHeader) }
        try await withSite { site in
            let created = try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#)
            let token = try #require(created.object["token"] as? String)
            for path in [
                "master.m3u8", "video-360p/media.m3u8", "audio-en/media.m3u8", "subtitles-en/media.m3u8",
            ] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 200, "\(path)")
                #expect(!reply.text.contains("://"), "\(path)")
                #expect(!reply.text.contains("URI=\"/"), "\(path)")
            }
            let playlist = try await site.get("/assets/\(token)/video-360p/media.m3u8").text
            #expect(playlist.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
            #expect(playlist.contains("#EXT-X-ENDLIST"))
        }
        origin.stop()
    }
}
