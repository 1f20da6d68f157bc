import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9110, sections 8.8.1 and 8.8.3.
@Suite("The entity tag", .fewAtOnce, .timeLimit(.minutes(2)))
struct EntityTagTests {
    /// Waits until a path has other bytes than in `first`; until then its tag always fits its bytes.
    private func other(than first: Reply, at path: String, _ site: Site, bytes: [UInt8]) async throws -> Reply
    {
        try await eventually {
            let reply = try await site.get(path)
            if reply.status == 200, reply.isWhole {
                #expect((reply["ETag"] == first["ETag"]) == (reply.body == first.body))
            }
            return reply.body == bytes
        }
        return try await site.get(path)
    }

    /// Checks that no old validator or byte passes for the new version.
    private func expectChanged(_ second: Reply, from first: Reply, at path: String, _ site: Site) async throws
    {
        let old = try #require(first["ETag"])
        let new = try #require(second["ETag"])
        #expect(old != new && new.hasPrefix("\""))
        let part = ["Range": "bytes=0-9"]
        #expect(try await site.get(path, ["If-None-Match": old]).body == second.body)
        #expect(try await site.get(path, part.merging(["If-Range": old]) { $1 }).body == second.body)
        #expect(try await site.get(path, ["If-Match": old]).status == 412)
        #expect(try await site.get(path, ["If-None-Match": new]).status == 304)
        #expect(try await site.get(path, part.merging(["If-Range": new]) { $1 }).status == 206)
    }

    @Test("of a segment changes when a repair brings other bytes, and else stays")
    func repaired() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            let path = "/assets/\(token)/video-360p/0.ts"
            let same = "/assets/\(token)/video-360p/1.ts"
            let (first, kept) = (try await site.get(path), try await site.get(same))
            for number in 0...1 {
                try Tampering.removed.apply(to: site.file(token, "video-360p/\(number).ts"))
            }
            // It is as long as the one that it replaces.
            origin.serve("/video/0.ts", bytes: SampleStream.otherVideo)
            try await site.server.store.repair(token)
            await site.server.store.untilSettled(token)
            let second = try await other(than: first, at: path, site, bytes: SampleStream.otherVideo)
            try await expectChanged(second, from: first, at: path, site)
            let again = try await site.get(same)
            #expect(again["ETag"] == kept["ETag"] && again.body == kept.body)
        }
        origin.stop()
    }

    @Test("of a poster changes when its file is replaced by one of the same length")
    func poster() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/poster"
            let first = try await site.get(path)
            let bytes = Array(SampleStream.poster.reversed())
            let file = URL(filePath: site.file(token, "poster.jpg"))
            try Data(bytes).write(to: file, options: .atomic)
            let second = try await other(than: first, at: path, site, bytes: bytes)
            try await expectChanged(second, from: first, at: path, site)
        }
    }
}
