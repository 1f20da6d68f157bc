import AssetStore
import Foundation
import SidebandSubtitles
import TestSupport
import Testing

@testable import OfflineServer

/// The ways in which a file is changed behind the server's back.
enum Tampering: CaseIterable {
    case removed, truncated, appended, link, folder, pipe

    func apply(to path: String) throws {
        let files = FileManager.default
        switch self {
        case .removed: try files.removeItem(atPath: path)
        case .truncated: unsafe truncate(path, 1000)
        case .appended:
            try Data(contentsOf: URL(filePath: path)).appended(by: 10).write(to: URL(filePath: path))
        case .link:
            try files.moveItem(atPath: path, toPath: path + ".moved")
            try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        case .folder:
            try files.removeItem(atPath: path)
            try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .pipe:
            try files.removeItem(atPath: path)
            unsafe mkfifo(path, 0o600)
        }
    }
}

extension Data {
    fileprivate func appended(by count: Int) -> Data { self + Data(repeating: 7, count: count) }
}

@Suite("Files changed behind the server's back", .fewAtOnce, .timeLimit(.minutes(2)))
struct TamperingTests {
    @Test(
        "a changed segment that was never requested before is missing at once", arguments: Tampering.allCases)
    func cold(_ tampering: Tampering) async throws {
        try await withSample { site, token in
            try tampering.apply(to: site.file(token, "video-360p/1.ts"))
            let reply = try await site.get("/assets/\(token)/video-360p/1.ts")
            #expect([404, 503].contains(reply.status))
            #expect(reply["Content-Type"] == "application/problem+json")
            #expect(reply.object["token"] as? String == token.description)
        }
    }

    @Test(
        "a segment served before is soon not there, and until then whole or visibly broken",
        arguments: Tampering.allCases)
    func warm(_ tampering: Tampering) async throws {
        #expect(MediaCache.checkInterval < 1)
        try await withSample { site, token in
            let path = "/assets/\(token)/video-360p/1.ts"
            #expect(try await site.get(path).status == 200)
            try tampering.apply(to: site.file(token, "video-360p/1.ts"))
            try await eventually {
                let reply = try await site.get(path)
                if reply.status == 200, reply.isWhole { #expect(reply.body == SampleStream.video(1)) }
                return [404, 503].contains(reply.status)
            }
        }
    }

    @Test("a poster that is gone is 404; a link in its place is not followed")
    func poster() async throws {
        try await withSample { site, token in
            for tampering in [Tampering.link, .removed] {
                try tampering.apply(to: site.file(token, "poster.jpg"))
                #expect(try await site.get("/assets/\(token)/poster").status == 404)
            }
        }
    }

    @Test("a playlist that is gone is made again; a link in its place is not followed")
    func playlists() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/audio-en/media.m3u8"
            let whole = try await site.get(path).body
            for tampering in [Tampering.link, .removed] {
                try tampering.apply(to: site.file(token, "audio-en/media.m3u8"))
                #expect(try await site.get(path).body == whole)
            }
        }
    }

    @Test(
        "a playlist that is cut off, which players would take for a live stream, is soon served whole again",
        arguments: [0, 80, 200])
    func cutPlaylist(_ size: Int) async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/audio-en/media.m3u8"
            let whole = try await site.get(path).body
            unsafe truncate(site.file(token, "audio-en/media.m3u8"), size)
            try await eventually { try await site.get(path).body == whole }
            try await eventually {
                try Data(contentsOf: URL(filePath: site.file(token, "audio-en/media.m3u8"))) == Data(whole)
            }
            #expect(try site.server.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test(
        "a subtitle track of which a segment was cut off says that it is not whole, and is whole once it is repaired"
    )
    func cutSubtitles() async throws {
        try await withSample { site, token in
            let file = site.file(token, "subtitles-en/0.vtt")
            let bytes = try Data(contentsOf: URL(filePath: file))
            let reader = site.server.store.reader
            try Data(bytes.prefix(10)).write(to: URL(filePath: file))
            #expect(try reader.captions.subtitles(token, "en")?.isComplete == false)
            try bytes.write(to: URL(filePath: file))
            let mended = try #require(try reader.captions.subtitles(token, "en"))
            #expect(mended.isComplete && !mended.track.cues.isEmpty)
        }
    }

    @Test("the rest of the asset stays available, and refusals name the time to ask again")
    func rest() async throws {
        try await withSample { site, token in
            try Tampering.removed.apply(to: site.file(token, "video-360p/1.ts"))
            let gone = try await site.get("/assets/\(token)/video-360p/1.ts")
            #expect(gone.status == 503)
            #expect(gone["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
            #expect(try await site.get("/assets/\(token)/video-360p/2.ts").body == SampleStream.video(2))
        }
    }

    @Test("everything of a removed asset is 404 at once, served before or not")
    func removedAsset() async throws {
        try await withSample { site, token in
            let paths = ["master.m3u8", "audio-en/media.m3u8", "video-360p/0.ts", "poster"]
            for path in paths { #expect(try await site.get("/assets/\(token)/\(path)").status == 200) }
            #expect(try await site.request("DELETE", "/api/v1/assets/\(token)").status == 204)
            for path in paths + ["video-360p/1.ts"] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 404, "\(path)")
                #expect(reply.object["token"] as? String == token.description)
            }
            #expect(!FileManager.default.fileExists(atPath: site.file(token, "")))
        }
    }
}
