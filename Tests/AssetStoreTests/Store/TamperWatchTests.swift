import Foundation
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

/// Changes of a store's files by other programs are noticed.
@Suite(.timeLimit(.minutes(2)))
struct TamperWatchTests {
    private func damage(_ fixture: StoreFixture, _ token: AssetToken) throws -> [AssetEvent] {
        try fixture.store.catalog.events.all(after: 0, limit: 1000).filter {
            $0.token == token && $0.kind == .damaged
        }
    }

    /// A complete asset that is followed.
    private func followed(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 4)
        let token = try await fixture.download("/v/index.m3u8").token
        fixture.store.watch([token])
        await fixture.store.parts.tamperWatch.settle()
        return token
    }

    private func untilDamaged(_ fixture: StoreFixture, _ token: AssetToken) async throws {
        while try damage(fixture, token).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test(
        "a file that is deleted, cut, replaced or changed in place is told, and fetched again on demand",
        arguments: ["delete", "cut", "replace", "write", "folder"])
    func noticed(_ deed: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await followed(fixture)
            let path = fixture.path(token, "video/2.ts")
            switch deed {
            case "delete": try FileSystem.unlink(path)
            case "cut": try #require(unsafe truncate(path.string, 188) == 0)
            case "replace": try DurableWrite.write(Media.ts(99), to: path)
            case "folder": try FileSystem.removeTree(path.removingLastComponent())
            default:
                let file = try FileDescriptor.open(path, .writeOnly)
                _ = try file.writeAll(toAbsoluteOffset: 5, [1, 2, 3, 4])
                try file.close()
            }
            try await untilDamaged(fixture, token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && !asset.availability.offline)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("a deleted file that is put back as it was is served again by itself")
    func putBack() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await followed(fixture)
            let path = fixture.path(token, "video/2.ts")
            let bytes = try #require(try DurableWrite.read(path))
            try FileSystem.unlink(path)
            try await untilDamaged(fixture, token)
            #expect(try fixture.store.reader.requireAsset(token).health.level == .damaged)
            try DurableWrite.write(bytes, to: path)
            while try fixture.store.reader.requireAsset(token).health.level != .sound {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test("works without a listing or a player: the newest assets are followed, and each new one")
    func unlisted() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            await fixture.store.parts.tamperWatch.settle()
            try FileSystem.unlink(fixture.path(token, "video/2.ts"))
            try await untilDamaged(fixture, token)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let before = try damage(fixture, token).count
            fixture.store.parts.tamperWatch.stop()
            fixture.store.parts.tamperWatch.followNewest()
            await fixture.store.parts.tamperWatch.settle()
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            while try damage(fixture, token).count == before { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test("does not report the engine's own changes as damage")
    func own() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await followed(fixture)
            _ = try await fixture.store.prune(freeing: 1, [.leastRecentlyPlayed])
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            fixture.store.watch([token])
            try await fixture.store.remove(token)
            await fixture.store.untilDisposed()
            await fixture.store.parts.tamperWatch.settle()
            await fixture.store.parts.tamperWatch.settle()
            #expect(try damage(fixture, token).isEmpty)
        }
    }

    @Test("does not report unreadable files as damaged, and checks them again later")
    func unseen() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await followed(fixture)
            let (folder, elsewhere) = (fixture.path(token, "video"), fixture.path(token, "elsewhere"))
            try FileSystem.rename(folder, to: elsewhere)
            try FileManager.default.createSymbolicLink(
                atPath: folder.string, withDestinationPath: folder.string)
            for _ in 0..<2 { await fixture.store.parts.tamperWatch.settle() }
            #expect(try damage(fixture, token).isEmpty)
            #expect(try fixture.units(token, "video").allSatisfy { $0.state == .stored })
            try FileSystem.unlink(elsewhere.appending("1.ts"))
            try FileSystem.unlink(folder)
            try FileSystem.rename(elsewhere, to: folder)
            try await untilDamaged(fixture, token)
            #expect(try fixture.units(token, "video").map(\.state) == [.stored, .missing, .stored, .stored])
        }
    }

    @Test("reports damage that can't be noted for now later, together with its note")
    func unnoted() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, catalog) = (try await followed(fixture), fixture.store.catalog)
            try catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE INSERT ON event WHEN NEW.kind = 'damaged'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            for _ in 0..<2 { await fixture.store.parts.tamperWatch.settle() }
            #expect(try fixture.units(token, "video").allSatisfy { $0.state == .stored })
            try catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            try await untilDamaged(fixture, token)
            #expect(try fixture.units(token, "video").map(\.state) == [.stored, .missing, .stored, .stored])
        }
    }

    @Test(
        "a missing or truncated playlist is not whole; for an unreadable playlist this is unknown"
    )
    func playlistEnd() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("media.m3u8"))
        #expect(try !ServedMediaPlaylist.goesToEnd(path))
        try folder.write(Array("#EXTM3U\n#EXTINF:4,\n0.ts\n".utf8), to: "media.m3u8")
        #expect(try !ServedMediaPlaylist.goesToEnd(path))
        try folder.write(Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8), to: "media.m3u8")
        #expect(try ServedMediaPlaylist.goesToEnd(path))
        let loop = folder.file("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let unseen = FilePath(loop).appending("media.m3u8")
        #expect(throws: StoreError.self) { try ServedMediaPlaylist.goesToEnd(unseen) }
        #expect(!ServedMediaPlaylist.isWhole(unseen))
    }

    @Test("an asset that is played is followed")
    func played() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            _ = try fixture.store.reader.media.unit(token, "video", named: .segment(0), extension: "ts")
            await fixture.store.parts.tamperWatch.settle()
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            try await untilDamaged(fixture, token)
            #expect(try damage(fixture, token).first?.reason == "1 file is gone or changed")
        }
    }

    @Test(
        "drops the asset that was used longest ago when it watches too many folders, also if all were asked for at once",
        arguments: [[0, 1, 0, 2], [1, 0, 2]], [true, false])
    func dropped(_ uses: [Int], isSlow: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let parts = fixture.store.parts
            var tokens: [AssetToken] = []
            for name in ["a", "b", "c"] {
                fixture.origin.serveStream("/\(name)", count: 2)
                tokens.append(try await fixture.download("/\(name)/index.m3u8").token)
            }
            await parts.tamperWatch.settle()
            parts.tamperWatch.stop()
            let watch = TamperWatch(fixture.store.context.store, owner: parts.owner, largestCount: 2)
            for index in uses {
                watch.follow(tokens[index])
                if isSlow { await watch.settle() }
            }
            await watch.settle()
            for token in [tokens[1], tokens[0], tokens[2]] {
                try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            }
            try await untilDamaged(fixture, tokens[0])
            try await untilDamaged(fixture, tokens[2])
            await watch.settle()
            #expect(try damage(fixture, tokens[1]).isEmpty)
            watch.stop()
        }
    }

    @Test("waits twice as long after each check that could not read something, up to 512 s")
    func rests() {
        let rests = [0, 1, 2, 8, 9, 10, 17, 100].map(TamperWatch.rest(after:))
        #expect(rests == [1, 2, 4, 256, 512, 512, 512, 512])
    }

    @Test("reads the kernel's messages completely, overflows included")
    func messages() {
        func message(_ watch: UInt8, _ mask: UInt32, _ name: String) -> [UInt8] {
            let padded =
                Array(name.utf8) + [UInt8](repeating: 0, count: name.isEmpty ? 0 : 16 - name.utf8.count)
            let bits = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (8 * $0)) }
            return [watch, 0, 0, 0] + bits + [0, 0, 0, 0, UInt8(padded.count), 0, 0, 0] + padded
        }
        let bytes =
            message(1, 0x200, "0.ts") + message(1, 0x2, "1.ts") + message(2, 0x40, ".2.ts.part")
            + message(3, 0x400, "") + message(255, 0x4000, "") + message(3, 0x8000, "") + [1, 2, 3]
        #expect(
            FolderWatch.changes(in: bytes[...]) == [
                .moved(1, name: "0.ts"), .written(1, name: "1.ts"), .folder(3), .overflow,
            ])
    }
}
