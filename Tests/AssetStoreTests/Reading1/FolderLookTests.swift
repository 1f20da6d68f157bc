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
@testable import StoreReading

@Suite("A look at an asset's folders", .timeLimit(.minutes(2)))
struct FolderLookTests {
    /// What a look at the folders alone says, without a look at each file.
    private func availability(_ fixture: StoreFixture, _ token: AssetToken) throws -> Availability {
        let catalog = fixture.store.catalog
        let record = try #require(try catalog.assets.asset(token))
        let rows = try #require(try catalog.renditions.all(of: [token])[token])
        let check = AvailabilityCheck(paths: fixture.store.paths, catalog: catalog, record: record)
        return try check.judge(rows, keysMissing: false, depth: .folders).availability
    }

    /// Downloads two segments. Nothing else notices from now on what happens to their files.
    private func film(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 2)
        let token = try await fixture.download("/v/index.m3u8").token
        fixture.store.parts.tamperWatch.stop()
        return token
    }

    /// Downloads a stream whose audio rendition is in the segments of the video.
    private func filmWithSound(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 2)
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", nil, "DEFAULT=YES"),
                Playlists.variant("v/index.m3u8", 900_000, #"AUDIO="a""#)))
        let asset = try await fixture.download("/master.m3u8")
        fixture.store.parts.tamperWatch.stop()
        #expect(asset.renditions.contains { !$0.hasPlaylist })
        return asset.token
    }

    /// Cuts a file off, which does not change the time of its folder.
    private func cut(_ fixture: StoreFixture, _ token: AssetToken) throws {
        try #require(unsafe truncate(fixture.path(token, "video/1.ts").string, 10) == 0)
    }

    @Test("goes on to no file only because sound is in the stream of the pictures")
    func carried() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await filmWithSound(fixture)
            try cut(fixture, token)
            #expect(try availability(fixture, token).offline)
            #expect(try !fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test("asks for no playlist of sound that is in the stream of the pictures")
    func carriedPlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await filmWithSound(fixture)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline)
            #expect(asset.health == Health(level: .sound))
        }
    }

    @Test("goes on to each file of a folder whose time was never noted")
    func unknownTime() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture)
            try cut(fixture, token)
            #expect(try availability(fixture, token).offline)
            try fixture.store.catalog.write(.store) { session in
                try session.execute("UPDATE rendition SET folder_time = NULL")
            }
            #expect(try availability(fixture, token).blockedBy == [.segmentDamaged])
        }
    }

    @Test("finds that a playlist is gone, whatever the time of its folder")
    func playlist() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture)
            try FileSystem.unlink(fixture.path(token, "video/\(ServedMediaPlaylist.fileName)"))
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(token, "video"))
            let time = try #require(FileSystem.folderTime(fixture.path(token, "video")))
            try catalog.recordings.setFolderTime(time, ofRendition: row.id)
            #expect(try availability(fixture, token).blockedBy == [.playlistMissing])
        }
    }

    @Test("is not needed to know of a stored segment that no player can decode")
    func undecodable() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await film(fixture)
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    "UPDATE unit SET finding = ? WHERE kind = 0 AND number = 1",
                    [UnitFinding.undecodable.rawValue])
            }
            let asset = try #require(try fixture.store.reader.progress(of: token))
            #expect(!asset.availability.offline)
            #expect(asset.availability.blockedBy == [.undecodable])
        }
    }
}
