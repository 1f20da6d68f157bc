import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel
@testable import StorePlanning

@Suite("The tracks of an asset in the catalog")
struct TrackTableTests {
    private let fixture: TableFixture
    private let token: AssetToken

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        try fixture.rendition(of: token)
        try fixture.rendition("sound", of: token, .audio) { $0.position = 1 }
    }

    private func tracks(_ names: [String], isOfCancelled: Bool = false, keys: [KeyRecord] = []) -> AddedTracks
    {
        AddedTracks(
            renditions: [], sources: names.map { SourcePlaylist(rendition: $0, url: "u", body: [1]) },
            keys: keys, listings: [], retried: [], selection: Selection(), isOfCancelled: isOfCancelled,
            leftOut: [])
    }

    private func extend(_ token: AssetToken, _ tracks: AddedTracks) throws {
        try fixture.catalog.renditions.extend(token, tracks, in: [], at: moment(1))
    }

    /// A sound of one segment that the asset does not have yet.
    private func sound(_ name: String) throws -> PlannedRendition {
        let stream = ResolvedStream(
            selected: SelectedStream(
                kind: .audio, uri: "x", required: false,
                listings: [try AttributeList(parsing: "LANGUAGE=\"\(name)\"")]),
            url: "https://host/\(name)/index.m3u8",
            playlist: try Playlists.parsedMedia(Playlists.media(["0.ts"])), container: .m4s)
        return PlannedRendition(stream, name: name)
    }

    @Test("come after those that the asset has when they are added, in their order")
    func positions() throws {
        let bare = try fixture.add(2, .complete)
        for (asset, positions) in [(token, [0, 1, 2, 3]), (bare, [0, 1])] {
            var added = tracks([])
            added.renditions = [try sound("de"), try sound("fr")]
            try extend(asset, added)
            let rows = try #require(try fixture.catalog.renditions.all(of: [asset])[asset])
            #expect(rows.map(\.position) == positions)
            #expect(rows.suffix(2).map(\.name) == ["de", "fr"])
        }
    }

    @Test("may be added to a cancelled asset only if it was cancelled when they were asked for")
    func cancelled() throws {
        let cancelled = try fixture.add(2, .cancelled)
        #expect(refusal { try extend(cancelled, tracks([])) }?.hasPrefix("wrongState") == true)
        #expect(try fixture.catalog.assets.asset(cancelled)?.state == .cancelled)
        try extend(cancelled, tracks([], isOfCancelled: true))
        #expect(try fixture.catalog.assets.asset(cancelled)?.state == .queued)
        try extend(token, tracks(["x"]))
        #expect(try fixture.catalog.renditions.sourcePlaylist(token, "x")?.body == [1])
    }

    @Test("bring a license with their keys")
    func license() throws {
        try extend(token, tracks([]))
        #expect(try fixture.catalog.licenses.license(of: token) == nil)
        try extend(token, tracks([], keys: [KeyRecord(id: "k", url: "u")]))
        #expect(try fixture.catalog.licenses.license(of: token) != nil)
    }

    @Test("are taken out once, with their keys and folders")
    func shrink() throws {
        let rows = try #require(try fixture.catalog.renditions.all(of: [token])[token])
        try fixture.catalog.licenses.setKey(KeyRecord(id: "k", url: "u"), of: token, at: moment(1))
        let removal = try TrackRemoval(["sound"], from: rows)
        for folders in [["\(token)/sound"], []] {
            let items = try fixture.catalog.renditions.shrink(
                token, by: removal, forgetting: ["k"], at: moment(2))
            #expect(items.map(\.path) == folders)
        }
        #expect(try fixture.row(token, "sound") == nil && fixture.row(token) != nil)
        #expect(try fixture.catalog.renditions.keys(of: token).isEmpty)
    }
}
