import TestSupport
import Testing

@testable import AssetStore
@testable import OfflineServer

@Suite(
    "An asset that is read as a file or as fragmented MP4", .fewAtOnce, .timeLimit(.minutes(2)),
    .enabled(if: EncodedStream.isPossible))
struct FilePlayTests {
    @Test(
        "was played, unless only header fields were asked for",
        arguments: ["video.ts?_=1", "video.mp4", "audio.m4a", "video/0.m4s?container=fmp4"])
    func played(_ path: String) async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.packets.add(to: site)
            let rendition = try site.server.store.reader.requireAsset(token).renditions[0].name
            let path = "/assets/\(token)/" + path.replacing("video/", with: "\(rendition)/")
            let log = site.server.store.reader.players.log
            let head = try await site.request("HEAD", path)
            let tag = try #require(head["ETag"])
            #expect(head.status == 200)
            #expect(try await site.get(path, ["If-None-Match": tag]).status == 304)
            #expect(log.lastPlay(of: token) == nil && log.playing(now: SteadyClock.seconds).isEmpty)
            #expect(try await site.get(path).status == 200)
            #expect(log.lastPlay(of: token) != nil && log.playing(now: SteadyClock.seconds) == [token])
            _ = folder
        }
    }
}
