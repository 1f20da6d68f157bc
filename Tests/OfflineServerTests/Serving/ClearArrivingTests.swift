import Foundation
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import OfflineServer
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// A segment that is encrypted as a whole, in the clear while it arrives: the origin stops after a hundred bytes.
@Suite("Segments in the clear while they arrive", .fewAtOnce, .timeLimit(.minutes(2)))
struct ClearArrivingTests {
    private func arriving(
        _ segment: [UInt8], _ body: (Site, OriginServer, AssetToken, String) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        ClearTests.serve(on: origin, segment)
        origin.fault("/1.ts", .stall(after: 100), times: 1)
        try await withSite { site in
            let token = try await site.server.store.intake.add(AssetRequest(url: origin.url("/index.m3u8")))
                .token
            try await eventually { !origin.requests(for: "/1.ts").isEmpty }
            try await body(site, origin, token, "/assets/\(token)/video/1.ts?decrypt=1")
        }
        origin.stop()
    }

    /// A GET whose first bytes have come, and its rest after the origin continues.
    private func get(_ site: Site, _ path: String, _ origin: OriginServer) async throws -> (
        early: Reply, all: Reply
    ) {
        let text = site.message("GET", path, [:])
        let (socket, bytes) = try await blocking { [port = site.server.port] in
            let socket = try Socket(connectingTo: port)
            socket.send(Array(text.utf8))
            var bytes: [UInt8] = []
            while Reply(bytes).body.count < 80, case let next = socket.receive(), !next.isEmpty {
                bytes += next
            }
            return (socket, bytes)
        }
        let all = try await releasing(origin) {
            try await blocking {
                var bytes = bytes
                while case let next = socket.receive(), !next.isEmpty { bytes += next }
                return bytes
            }
        }
        return (Reply(bytes), Reply(all))
    }

    @Test("received bytes come at once but for the last block, the rest as it arrives")
    func streamed() async throws {
        try await arriving(ClearTests.segment) { site, origin, _, path in
            let (early, all) = try await get(site, path, origin)
            #expect(early.status == 200 && early.body == Array(ClearTests.text.prefix(80)))
            #expect(all.isWhole && all.body == ClearTests.text)
            #expect(all["Cache-Control"] == "no-store")
        }
    }

    @Test("a wrong end breaks the connection, is reported once, and is an error afterwards")
    func damaged() async throws {
        try await arriving(ClearTests.segment.dropLast(16)) { site, origin, token, path in
            let (_, all) = try await get(site, path, origin)
            #expect(!all.isWhole && all.body.count < ClearTests.text.count)
            await site.server.store.untilSettled(token)
            let later = try await site.get(path)
            #expect(
                later.status == 404 && later.object["type"] as? String == "tag:offline-server,2026:integrity")
            let catalog = site.server.store.catalog
            try await eventually {
                try catalog.events.all(after: 0, limit: 100).contains { $0.failure != nil }
            }
            #expect(try catalog.events.all(after: 0, limit: 100).count { $0.failure != nil } == 1)
        }
    }

    @Test("the stored part of an asset plays in the clear, too")
    func available() async throws {
        try await arriving(ClearTests.segment) { site, origin, token, path in
            let early = try await site.get("/assets/\(token)/video/media.m3u8?available=1&decrypt=1")
            #expect(early.status == 200 && !early.text.contains("1.ts"))
            _ = try await get(site, path, origin)
            await site.server.store.untilSettled(token)
            let master = try await site.get("/assets/\(token)/master.m3u8?decrypt=1&available=1")
            #expect(master.text.contains("video/media.m3u8?decrypt=1&available=1"))
            let list = try await site.get("/assets/\(token)/video/media.m3u8?available=1&decrypt=1")
            #expect(list.text.contains("1.ts?decrypt=1") && !list.text.contains("EXT-X-KEY"))
        }
    }
}
