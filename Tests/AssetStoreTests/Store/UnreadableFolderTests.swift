import Foundation
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
@testable import StoreReading

@Suite("A rendition's folder that can't be looked into", .timeLimit(.minutes(2)))
struct UnreadableFolderTests {
    /// Runs `body` while a link to itself replaces an asset's folder: not even root can open it.
    private func whileBarred(
        _ fixture: StoreFixture, _ token: AssetToken, _ body: () async throws -> Void
    ) async throws {
        let (folder, away) = (fixture.path(token, "video"), fixture.path(token, "away"))
        try FileSystem.rename(folder, to: away)
        try FileManager.default.createSymbolicLink(
            atPath: folder.string, withDestinationPath: folder.string)
        try await body()
        try FileSystem.unlink(folder)
        try FileSystem.rename(away, to: folder)
    }

    private func download(_ fixture: StoreFixture, _ name: String) async throws -> AssetToken {
        fixture.origin.serveStream("/\(name)", count: 2)
        return try await fixture.download("/\(name)/index.m3u8").token
    }

    @Test("is reported with the reason when one asset is read, and none of its files counts as damaged")
    func asked() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture, "v")
            let (reader, folder) = (fixture.store.reader, fixture.path(token, "video"))
            try await whileBarred(fixture, token) { () async throws in
                let looking = await failure { _ = try reader.requireAsset(token) }
                let whole = await failure { _ = try reader.wholeRenditions(of: token) }
                for error in [looking, whole] {
                    guard case .file(.open, folder.string, errno: ELOOP)? = error?.code else {
                        return #expect(Bool(false), "\(String(describing: error))")
                    }
                }
                #expect(try reader.requireProgress(of: token).state == .complete)
                #expect(await failure { _ = try await fixture.store.verify(token) }?.errorClass == .disk)
            }
            #expect(try fixture.units(token, "video").allSatisfy { $0.state == .stored })
            #expect(try reader.requireAsset(token).availability.offline)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("keeps no other asset from being listed, and its own does not play")
    func listed() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, other) = (try await download(fixture, "v"), try await download(fixture, "w"))
            try await whileBarred(fixture, token) { () async throws in
                let assets = try fixture.store.reader.assets()
                #expect(assets.first { $0.token == other }?.availability.offline == true)
                let barred = assets.first { $0.token == token }?.availability
                #expect(barred?.offline == false && barred?.ranges.isEmpty == true)
                #expect(barred?.blockedBy == [.unreadable])
                #expect(barred?.stored == [TimeRange(start: 0, duration: 8)])
            }
            #expect(try fixture.store.reader.assets().allSatisfy(\.availability.offline))
        }
    }

    @Test("is noticed for more assets than a listing can check, too", .enabled(if: getuid() != 0))
    func listedByFolder() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture, "v")
            let (catalog, folder) = (fixture.store.catalog, fixture.path(token, "video").string)
            let record = try #require(try catalog.assets.asset(token))
            let rows = try #require(try catalog.renditions.all(of: [token])[token])
            let check = AvailabilityCheck(paths: fixture.store.paths, catalog: catalog, record: record)
            #expect(try check.judge(rows, keysMissing: false, depth: .folders).availability.offline)
            #expect(unsafe chmod(folder, 0) == 0)
            let error = await failure { _ = try check.judge(rows, keysMissing: false, depth: .folders) }
            #expect(unsafe chmod(folder, 0o700) == 0)
            #expect(error?.errorClass == .disk)
        }
    }

    @Test("keeps all that a recording has stored so far, also when its download begins again")
    func recording() async throws {
        let show = LiveShow(try OriginServer(), pages: [LiveShow.page(0..<3), LiveShow.page(0..<5)])
        show.serveSegments(5)
        show.hold(at: 1)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let token = try await fixture.add(show.path) { request in
            request.selection.recording = Selection.Recording()
            request.selection.recording?.fromStart = true
        }
        try await show.untilHeld()
        try await eventually { try fixture.units(token, "video").count { $0.state == .stored } == 5 }
        let store = fixture.store
        let files = StoredFiles(token, store: store.context.store)
        try await whileBarred(fixture, token) { () async throws in
            let error = await failure { try files.noteDamage() }
            #expect(error?.errorClass == .disk)
        }
        #expect(try fixture.units(token, "video").count { $0.state == .stored } == 5)
        await store.stop()
    }

    @Test("does not count as unreadable if it is missing, or a file: then its segments are damaged")
    func gone() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture, "v")
            let folder = fixture.path(token, "video")
            try FileSystem.removeTree(folder)
            for _ in 0..<2 {
                let availability = try fixture.store.reader.requireAsset(token).availability
                #expect(availability.blockedBy == [.playlistMissing, .segmentDamaged])
                try DurableWrite.write([1], to: folder)
            }
        }
    }
}
