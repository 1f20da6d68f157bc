import ModelTestSupport
import StoreTestSupport
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

@Suite("A rendition without which an asset is of no use", .timeLimit(.minutes(2)))
struct TrackRemovalTests {
    private func row(
        _ id: Int64, _ name: String, group: String = "a", required: Bool = false, stored: Int = 2,
        failure: String? = nil
    ) -> RenditionRecord {
        RenditionRecord(
            id: id, name: name, position: Int(id), kind: .audio, required: required,
            listings: ["TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"\(name)\""], hasPlaylist: true,
            container: .ts, duration: 8, segments: 2, storedSegments: stored, failure: failure)
    }

    @Test("is replaced by a completely stored one rather than by one that is being downloaded")
    func substitute() throws {
        let rows = [
            row(1, "en", required: true), row(2, "es", stored: 0, failure: "gone"), row(3, "fr", stored: 1),
            row(4, "it", group: "b"), row(5, "de"),
        ]
        #expect(try TrackRemoval(["en"], from: rows).promoted == [5])
        #expect(try TrackRemoval(["en", "de"], from: rows).promoted == [3])
    }

    @Test("stays if its only replacement was given up")
    func givenUp() async throws {
        let rows = [row(1, "en", required: true), row(2, "fr", stored: 1, failure: "gone")]
        let error = await failure { _ = try TrackRemoval(["en"], from: rows) }
        #expect(error?.text == #"mainRendition("en")"#)
    }

    /// A download that gave up the French audio.
    private func download(_ fixture: StoreFixture) async throws -> AssetToken {
        for (name, seed) in [("v", 1), ("en", 10), ("fr", 20)] {
            fixture.origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
        }
        fixture.origin.fault("/fr/s1.ts", .status(404))
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, #"AUDIO="a""#)))
        let asset = try await fixture.download("/master.m3u8") { $0.selection.audio = .all }
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(asset.renditions.first { $0.name == "audio-fr" }?.failure != nil)
        return asset.token
    }

    @Test("is not removed if the other one could not be fetched, and nothing changes")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            let error = await failure { try await fixture.store.removeTracks(["audio-en"], from: token) }
            #expect(error?.text == #"mainRendition("audio-en")"#)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline)
            #expect(asset.renditions.filter(\.isRequired).map(\.kind) == [.variant, .audio])
        }
    }

    @Test("is all that a check looks at where another one was given up")
    func checked() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            let store = fixture.store
            let record = try #require(try store.catalog.assets.asset(token))
            let rows = try #require(try store.catalog.renditions.all(of: [token])[token])
            let lost = try #require(rows.first { $0.failure != nil })
            #expect(lost.hasPlaylist && !lost.required)
            #expect(try !store.catalog.units.all(of: lost.id, states: [.missing, .lost]).isEmpty)
            let check = AvailabilityCheck(paths: store.paths, catalog: store.catalog, record: record)
            let result = try check.judge(rows, keysMissing: false, depth: .files)
            #expect(result.notable.isEmpty && result.availability.offline)
        }
    }

    @Test("and was given up makes the asset unplayable in every view until it is repaired")
    func missing() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            // The state that earlier versions left.
            try fixture.store.catalog.write(.store) { session in
                try session.execute("UPDATE rendition SET required = 1 WHERE name = 'audio-fr'")
            }
            let reader = fixture.store.reader
            for asset in try [reader.asset(token), reader.progress(of: token), reader.assets().first] {
                #expect(asset?.availability.offline == false)
                #expect(asset?.availability.blockedBy == [.segmentsMissing])
            }
            fixture.origin.clearFaults("/fr/s1.ts")
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try reader.requireAsset(token).availability.offline)
        }
    }
}
