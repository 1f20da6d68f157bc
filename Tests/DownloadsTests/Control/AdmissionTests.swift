import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// The size of a rendition by the known facts.
struct ExpectedSizeTests {
    private func row(_ change: (inout RenditionRecord) -> Void) -> RenditionRecord {
        var row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [""], hasPlaylist: true,
            container: .ts, duration: 40, segments: 10)
        change(&row)
        return row
    }

    @Test("a playlist without sizes gives no size")
    func unknown() {
        let row = row { _ in }
        #expect(ExpectedSize(row) == nil && ExpectedSize.knownNeed(row) == 0)
        #expect([AssetRendition(row)].expectedBytes == nil)
    }

    @Test("a bit rate that is only declared is shown, and is no need")
    func declared() {
        let row = row { $0.bandwidth = 8_000_000 }
        #expect(ExpectedSize(row)?.bytes == 40_000_000 && ExpectedSize.knownNeed(row) == 0)
    }

    @Test("a playlist with the size of each segment gives the exact size")
    func exact() {
        let row = row { ($0.expectedBytes, $0.storedBytes, $0.storedSegments) = (1000, 400, 4) }
        #expect(ExpectedSize(row)?.basis == .exact && ExpectedSize.knownNeed(row) == 600)
    }

    @Test("samples count first, and stored segments correct them")
    func sampled() {
        #expect(ExpectedSize(row { $0.likelyBytes = 1000 })?.bytes == 1000)
        let half = row { ($0.likelyBytes, $0.storedSegments, $0.storedBytes) = (1000, 5, 1000) }
        #expect(ExpectedSize(half)?.bytes == 1750)
        let most = row { ($0.likelyBytes, $0.storedSegments, $0.storedBytes) = (1000, 9, 1800) }
        #expect(ExpectedSize(most)?.bytes == 1990)
    }

    @Test("some stored segments tell the size of all; one or two do not yet")
    func measured() {
        let two = row { ($0.storedSegments, $0.storedBytes) = (2, 200) }
        #expect(ExpectedSize(two)?.bytes == 1000 && ExpectedSize.knownNeed(two) == 0)
        let three = row { ($0.storedSegments, $0.storedBytes) = (3, 300) }
        #expect(ExpectedSize(three)?.basis == .measured && ExpectedSize.knownNeed(three) == 665)
    }
}

/// The limit that keeps a download waiting.
struct RoomShortageTests {
    @Test("the limit with the largest shortage is named, with the needed and the available bytes")
    func limits() {
        let gigabyte: UInt64 = 1 << 30
        var figures = RoomShortage.Figures(quota: 1000, stored: 600, taken: 100)
        #expect(RoomShortage(needed: 300, figures) == nil)
        let quota = RoomShortage(needed: 301, figures)
        #expect(quota?.limit == .quota && quota?.free == 300 && quota?.size == 1000 && quota?.needed == 301)
        figures = RoomShortage.Figures(space: (free: 3 * gigabyte, total: 10 * gigabyte))
        #expect(RoomShortage(needed: 2 * gigabyte, figures) == nil)
        let reserve = RoomShortage(needed: 2 * gigabyte + 1, figures)
        #expect(reserve?.limit == .reserve && reserve?.free == 2 * gigabyte && reserve?.size == gigabyte)
        #expect(RoomShortage(needed: 4 * gigabyte, figures)?.limit == .fileSystem)
    }

    @Test("the advice is of the limit that it is: a quota that is not set is not to be raised")
    func advice() throws {
        let space: (free: UInt64, total: UInt64) = (100, 10 << 30)
        for needed in [1, UInt64(1 << 30)] {
            let shortage = try #require(RoomShortage(needed: needed, .init(space: space)))
            #expect(!shortage.sentence.contains("quota") && !shortage.advice.contains("quota"))
        }
        let quota = try #require(RoomShortage(needed: 200_000, .init(quota: 250_000, stored: 100_000)))
        #expect(quota.sentence == "it needs 200 kB more, and 150 kB are left of the quota of 250 kB")
        #expect(quota.advice.contains("raise the quota"))
    }
}

/// Downloads under limits, by the known sizes.
@Suite(.timeLimit(.minutes(2)))
struct AdmissionTests {
    /// A store with a quota, whose origin has a stream in `/v/index.m3u8`.
    private func withQuota(
        _ quota: UInt64, count: Int = 8, tellsSizes: Bool = true, evict: Set<EvictionClass> = [],
        _ body: (StoreFixture, UInt64) async throws -> Void
    ) async throws {
        try await StoreFixture.run {
            var policy = StoragePolicy()
            (policy.quota, policy.evict) = (quota, evict)
            $0.storage = policy
            $0.transfersPerAsset = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            let size = fixture.origin.serveStream("/v", count: count).joined().count
            if !tellsSizes {
                for number in 0..<count { fixture.origin.fault("/v/s\(number).ts", .chunked) }
            }
            try await body(fixture, UInt64(size))
        }
    }

    private func segmentRequests(_ fixture: StoreFixture) -> Int {
        fixture.origin.requests.count { $0.method == "GET" && $0.path.hasSuffix(".ts") }
    }

    @Test("a stream without a bit rate that fits by the sizes of its segments is downloaded")
    func fits() async throws {
        // By 2 Mbit/s it would be 8 MB.
        try await withQuota(40_000) { fixture, size in
            #expect(size < 40_000)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && UInt64(asset.storedBytes) == size)
        }
    }

    @Test(
        "a download that does not fit waits before its first byte, and reports the needed room, the free room and the limit"
    )
    func waits() async throws {
        try await withQuota(10_000) { fixture, size in
            let token = try await fixture.add("/v/index.m3u8")
            try await fixture.untilWaiting(token, for: "disk")
            let asset = try fixture.store.reader.requireProgress(of: token)
            let room = try #require(asset.room)
            #expect(room.limit == .quota && room.size == 10_000 && room.free == 10_000)
            #expect(room.needed > size * 9 / 10 && room.needed <= size)
            #expect(asset.wait?.contains("left of the quota of 10 kB") == true)
            #expect(segmentRequests(fixture) == 0)
        }
    }

    @Test("a download of unknown size begins, and is put off when stored segments show that it does not fit")
    func measured() async throws {
        try await withQuota(12_000, tellsSizes: false) { fixture, _ in
            // The download stands still until the store has looked at it.
            fixture.origin.fault("/v/s5.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            try await fixture.untilWaiting(token, for: "disk")
            let asset = try fixture.store.reader.requireProgress(of: token)
            #expect(asset.renditions[0].storedSegments >= ExpectedSize.enoughSegments)
            #expect(asset.room.map { $0.needed > $0.free } == true)
        }
    }

    @Test("an unknown size evicts nothing; a measured size evicts as much as it needs")
    func eviction() async throws {
        let old = Media.ts(10).count + Media.ts(11, seed: 2).count
        try await withQuota(40_000, tellsSizes: false, evict: [.leastRecentlyPlayed]) { fixture, size in
            #expect(size + UInt64(old) <= 40_000)
            fixture.origin.serveStream("/old", count: 2)
            let first = try await fixture.download("/old/index.m3u8").token
            let second = try await fixture.download("/v/index.m3u8")
            #expect(second.state == .complete)
            #expect(try fixture.store.reader.progress(of: first)?.state == .complete)
            let third = try await fixture.download("/v/index.m3u8").token
            #expect(try fixture.store.reader.progress(of: third)?.state == .complete)
            // The download may end before the eviction is written down.
            try await eventually { try fixture.store.reader.progress(of: first)?.reason == "evicted" }
        }
    }

    @Test("without relevant limits no origin is asked for sizes")
    func unlimited() async throws {
        try await StoreFixture.run {
            $0.conditions.space = { _ in (100 << 30, 100 << 30) }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 8)
            _ = try await fixture.download("/v/index.m3u8")
            #expect(fixture.origin.requests.allSatisfy { $0.method == "GET" || $0.path == "/v/index.m3u8" })
        }
    }
}
