import ModelTestSupport
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
@testable import StorePlanning
@testable import StoreReading

@Suite("A look at a requested stream", .timeLimit(.minutes(2)))
struct StreamSurveyTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    /// A store with a quota, or with much room and none.
    private func run(
        hasQuota: Bool, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await StoreFixture.run {
            var policy = StoragePolicy()
            if hasQuota { policy.quota = 1 << 40 }
            $0.storage = policy
            $0.conditions.space = { _ in (free: 1 << 40, total: 1 << 41) }
        } _: { fixture async throws in
            try await body(fixture)
        }
    }

    private func likelyBytes(_ fixture: StoreFixture) async throws -> Int64? {
        fixture.origin.serveStream("/v", count: 4)
        let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
        return try fixture.store.catalog.renditions.rendition(token, "video")?.likelyBytes
    }

    @Test("asks for the sizes of segments if the store has a quota")
    func sampled() async throws {
        try await run(hasQuota: true) { fixture async throws in
            // 10, 11, 12 and 13 packets.
            #expect(try await likelyBytes(fixture) == 46 * 188)
            #expect(fixture.origin.requests.count { $0.method == "HEAD" } == 4)
        }
    }

    @Test("does not ask for sizes if there is room for any stream")
    func roomy() async throws {
        try await run(hasQuota: false) { fixture async throws in
            #expect(try await likelyBytes(fixture) == nil)
            #expect(!fixture.origin.requests.contains { $0.method == "HEAD" })
        }
    }

    @Test("asks for the sizes of the eight largest renditions only")
    func largest() async throws {
        try await run(hasQuota: true) { fixture async throws in
            let variants = (1...9).map { number in
                fixture.origin.serveStream("/v\(number)")
                return Playlists.variant("v\(number)/index.m3u8", number * 100_000) + "\n"
            }
            fixture.origin.serve("/master.m3u8", text: "#EXTM3U\n" + variants.joined())
            let token = try await fixture.add("/master.m3u8") {
                ($0.isPreload, $0.selection.allVariants) = (true, true)
            }
            let rows = try fixture.store.catalog.renditions.all(of: [token])[token] ?? []
            #expect(rows.count == 9)
            #expect(rows.filter { $0.likelyBytes == nil }.map(\.bandwidth) == [100_000])
        }
    }

    @Test("does not guess a size that the origin does not tell")
    func untold() async throws {
        try await run(hasQuota: true) { fixture async throws in
            for number in 0..<4 { fixture.origin.fault("/v/s\(number).ts", .status(403)) }
            #expect(try await likelyBytes(fixture) == nil)
        }
    }

    @Test("sends the header fields of a stream to the interstitials of its own host only")
    func interstitials() async throws {
        let other = try OriginServer()
        other.serveStream("/ad", count: 1)
        try await StoreFixture.run { fixture async throws in
            func range(_ id: String, _ address: String) -> String {
                "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\","
                    + "START-DATE=\"2026-01-01T00:00:04Z\",X-ASSET-URI=\"\(address)\"\n"
            }
            fixture.origin.serveStream("/near", count: 1)
            let tags = range("a", other.url("/ad/index.m3u8")) + range("b", "/near/index.m3u8")
            fixture.origin.serveStream("/main", count: 2, tags: tags)
            let token = try await fixture.add("/main/index.m3u8") {
                $0.selection.interstitials = .keep
                $0.access.headers = [["X-Ticket", "1"]]
                $0.isPreload = true
            }
            let children = try fixture.store.catalog.interstitials.interstitialAssets(of: [token])
            #expect(children.count == 2)
            let rows = try fixture.store.catalog.interstitials.all(of: token)
            #expect(rows.map(\.number).sorted() == [0, 1] && rows.allSatisfy { $0.list == nil })
            #expect(Set(rows.compactMap(\.asset)) == Set(children))
            #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.header("X-Ticket") == nil })
            let near = fixture.origin.requests(for: "/near/index.m3u8")
            #expect(!near.isEmpty && near.allSatisfy { $0.header("X-Ticket") == "1" })
        }
        other.stop()
    }

    @Test("takes the request's picture, which must be one, or else the stream's")
    func pictures() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serveStream("/v", count: 1)
            origin.serve("/own.png", bytes: Self.png + [7], contentType: "image/png")
            origin.serve("/page.html", bytes: Media.page)
            let poster = "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.poster\",URI=\"/stream.png\""
            let lines = Playlists.master(poster, Playlists.variant("v/index.m3u8", 900_000))
            origin.serve("/master.m3u8", text: lines)
            func stored(_ artwork: String?) async throws -> [UInt8]? {
                let token = try await fixture.add("/master.m3u8") {
                    ($0.isPreload, $0.artwork) = (true, artwork)
                }
                return try fixture.stored(token, "poster.png")
            }
            #expect(try await stored(nil) == nil)
            origin.serve("/stream.png", bytes: Self.png, contentType: "image/png")
            #expect(try await stored(nil) == Self.png)
            #expect(try await stored(origin.url("/own.png")) == Self.png + [7])
            let path = try fixture.folder.write(Self.png + [8], to: "file.png")
            #expect(try await stored(path) == Self.png + [8])
            for wrong in [origin.url("/page.html"), fixture.folder.file("none.png")] {
                let error = await fixture.refusal("/master.m3u8") { $0.artwork = wrong }
                #expect(error != nil, "\(wrong)")
            }
        }
    }

    @Test("leaves out files that an entered request lacks, unless it is strict, and no file of a new one")
    func leftOut() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let survey = fixture.store.intake.survey
            func look(isStrict: Bool, isEntered: Bool) async throws -> [String] {
                var request = fixture.request("/v/index.m3u8")
                request.isStrict = isStrict
                request.artwork = fixture.folder.file("none.png")
                let file = fixture.folder.file("none.vtt")
                request.subtitleFiles = [SubtitleSource(source: file, language: "de")]
                let token = AssetToken(at: Timestamp(milliseconds: 1))
                return try await survey.read(
                    request, url: request.url, token: token, isEntered: isEntered
                ).plan.lost.map(\.kind)
            }
            let lost = try await look(isStrict: false, isEntered: true)
            #expect(lost.sorted() == ["poster", "subtitle file"])
            let strict = await failure { _ = try await look(isStrict: true, isEntered: true) }
            #expect(strict != nil)
            let new = await failure { _ = try await look(isStrict: false, isEntered: false) }
            #expect(new != nil)
        }
    }
}
