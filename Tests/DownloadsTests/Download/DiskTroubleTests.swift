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

/// Folders and files that others take away, or put where segments are to be, in the middle of a download.
@Suite(.timeLimit(.minutes(2)))
struct DiskTroubleTests {
    /// Begins the downloads of streams of three segments; the second one of each stalls till the origin's release.
    private func begin(
        _ fixture: StoreFixture, _ names: [String], stalls: Int = 1
    ) async throws -> [AssetToken] {
        var tokens: [AssetToken] = []
        for name in names {
            fixture.origin.serveStream("/\(name)", count: 3)
            fixture.origin.fault("/\(name)/s1.ts", .stall(after: 600), times: stalls)
            tokens.append(try await fixture.add("/\(name)/index.m3u8"))
            try await untilAsked(fixture, "/\(name)/s1.ts")
        }
        return tokens
    }

    private func untilAsked(_ fixture: StoreFixture, _ path: String, times: Int = 1) async throws {
        try await eventually { fixture.origin.requests(for: path).count == times }
    }

    private func expectWhole(_ fixture: StoreFixture, _ tokens: [AssetToken]) async throws {
        for token in tokens {
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(asset.availability.offline)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("a folder in the place of a segment is replaced, and no other asset is affected")
    func folderInPlace() async throws {
        try await StoreFixture.run { fixture async throws in
            let tokens = try await begin(fixture, ["a", "b"])
            try FileSystem.makeDirectory(fixture.path(tokens[0], "video/1.ts").appending("inner"))
            fixture.origin.release()
            try await expectWhole(fixture, tokens)
            #expect(fixture.origin.requests(for: "/a/s1.ts").count == 2)
            #expect(fixture.origin.requests(for: "/b/s1.ts").count == 1)
        }
    }

    @Test(
        "a folder in the place of a segment is removed before the download",
        arguments: [".1.ts.part", "1.ts"])
    func folderBeforehand(_ name: String) async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s0.ts", .stall(after: 600), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            try await untilAsked(fixture, "/v/s0.ts")
            try FileSystem.makeDirectory(fixture.path(token, "video").appending(name).appending("inner"))
            fixture.origin.release()
            try await expectWhole(fixture, [token])
        }
    }

    @Test("a folder that disappears is made again with all its files, and no other asset is affected")
    func lostFolder() async throws {
        try await StoreFixture.run { fixture async throws in
            let tokens = try await begin(fixture, ["a", "b"])
            // In one step: files that arrive in between would keep a folder from being deleted.
            try FileSystem.rename(fixture.path(tokens[0], "video"), to: fixture.path(tokens[0], "elsewhere"))
            fixture.origin.release()
            try await expectWhole(fixture, tokens)
            #expect(fixture.origin.requests(for: "/b/s1.ts").count == 1)
        }
    }

    @Test(
        "a folder that disappears repeatedly makes its asset fail as a disk error, and repair makes it again")
    func lostAgain() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try #require(try await begin(fixture, ["a"], stalls: 2).first)
            for time in 1...2 {
                try await untilAsked(fixture, "/a/s1.ts", times: time)
                try FileSystem.rename(fixture.path(token, "video"), to: fixture.path(token, "away-\(time)"))
                fixture.origin.release()
            }
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .failed && asset.failure?.errorClass == "disk")
            #expect(!asset.availability.offline)
            try await fixture.store.repair(token)
            try await expectWhole(fixture, [token])
        }
    }

    @Test("of units that are committed together, those that the disk could flush are stored")
    func group() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "video"))
            try fixture.store.catalog.units.markAbsent(
                (0..<2).map { (row.id, UnitKind.segment, $0) }, as: .missing)
            let folder = fixture.path(token, "video")
            try FileSystem.unlink(folder.appending("0.ts"))
            try FileSystem.makeDirectory(folder.appending("0.ts"))
            let group = try (0..<2).map { number in
                let file = try PartialFile(creating: folder.appending(".\(number).ts.part"))
                let unit = StoredUnit(
                    rendition: row.id, kind: .segment, number: number, size: 0, sha256: file.sha256)
                return FinishedUnit(
                    file: file, destination: folder.appending("\(number).ts"), unit: unit)
            }
            let error = await failure { try await fixture.store.context.committer.commit(group) }
            #expect(error?.errorClass == .disk)
            #expect(try fixture.units(token, "video").map(\.state) == [.missing, .stored])
        }
    }

    @Test("a file that several write at once is written by all of them, and nothing else is left")
    func writtenAtOnce() async throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("media.m3u8"))
        let bytes = Media.ts(50)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try DurableWrite.write(bytes, to: path) } }
            try await group.waitForAll()
        }
        #expect(FileSystem.names(in: path.removingLastComponent()) == ["media.m3u8"])
        #expect(try folder.read("media.m3u8") == bytes)
    }

    @Test(
        "the partial file of a killed process is overwritten, and the partial file of a living one is left alone"
    )
    func begunByOthers() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("media.m3u8"))
        try folder.write(Media.ts(50), to: ".media.m3u8.tmp")
        try DurableWrite.write([1, 2, 3], to: path)
        #expect(FileSystem.names(in: path.removingLastComponent()) == ["media.m3u8"])
        let other = try StoreLock(FilePath(folder.file(".media.m3u8.tmp")))
        let begun = try folder.read(".media.m3u8.tmp")
        try DurableWrite.write([4, 5], to: path)
        #expect(try folder.read("media.m3u8") == [4, 5])
        #expect(try folder.read(".media.m3u8.tmp") == begun)
        other.release()
    }
}
