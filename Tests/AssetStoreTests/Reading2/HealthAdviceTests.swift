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

@Suite("The health of an asset as its reader tells it", .timeLimit(.minutes(2)))
struct HealthAdviceTests {
    @Test("has the place of the segment that the download failed for, not of another one that is missing")
    func failedSegment() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s2.ts", .status(404))
            let token = try await fixture.download("/v/index.m3u8").token
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(token, "video"))
            try catalog.units.markAbsent([(row.id, .segment, 0)], as: .missing)
            #expect(try catalog.units.all(of: row.id, states: [.missing, .lost]).count == 2)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .failed)
            let problem = try #require(asset.health.problems.first { $0.kind == .segmentMissing })
            #expect(problem.rendition == "video" && problem.start == 8 && problem.duration == 4)
        }
    }

    /// An asset from the origin, or from a folder, of three segments.
    private func made(_ fixture: StoreFixture, isImported: Bool) async throws -> AssetToken {
        guard isImported else {
            fixture.origin.serveStream("/v", count: 3)
            return try await fixture.download("/v/index.m3u8").token
        }
        for number in 0..<3 {
            try fixture.folder.write(Media.ts(5, seed: UInt64(number)), to: "hls/\(number).ts")
        }
        let playlist = Playlists.media((0..<3).map { "\($0).ts" })
        try fixture.folder.write(Array(playlist.utf8), to: "hls/index.m3u8")
        return try await fixture.store.imports.add(FilePath(fixture.folder.file("hls"))).token
    }

    @Test(
        "advises to repair media that can't be decoded, unless a folder was their only source",
        arguments: [(false, .repair), (true, .none)] as [(Bool, HealthProblem.Advice)])
    func undecodable(isImported: Bool, advice: HealthProblem.Advice) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await made(fixture, isImported: isImported)
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(token, "video"))
            let unit = AbsentRow(rendition: row.id, kind: .segment, number: 1, finding: .undecodable)
            try catalog.health.setFinding(.undecodable, of: [unit], token, at: Timestamp(milliseconds: 1))
            let problems = try fixture.store.reader.requireAsset(token).health.problems
            #expect(problems.map(\.kind) == [.undecodable] && problems.map(\.advice) == [advice])
        }
    }

    private func missingKeys(_ asset: Asset) -> [HealthProblem] {
        asset.health.problems.filter { $0.kind == .keyMissing }
    }

    @Test("advises to ask again for a key that was fetched")
    func fetchedKey() async throws {
        try await Licensed.run(LicenseTerms()) { licensed async throws in
            #expect(try missingKeys(licensed.asset()).isEmpty)
            try licensed.seal([1, 2, 3])
            let problems = try missingKeys(licensed.asset())
            #expect(problems.map(\.count) == [1] && problems.map(\.advice) == [.licenseRenew])
        }
    }

    @Test("advises to add a key that nobody can be asked for")
    func givenKey() async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["cenc-v-init.mp4", "cenc-v1.m4s"] {
                fixture.origin.serve("/\(name)", bytes: try SampleMedia.file(name))
            }
            let tags = """
                #EXT-X-MAP:URI="cenc-v-init.mp4"
                #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"

                """
            fixture.origin.serve("/index.m3u8", text: Playlists.media(["cenc-v1.m4s"], tags: tags))
            let asset = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }
            let problems = missingKeys(asset)
            #expect(problems.map(\.count) == [1] && problems.map(\.advice) == [.addKey])
        }
    }
}
