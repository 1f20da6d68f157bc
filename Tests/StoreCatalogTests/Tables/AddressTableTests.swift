import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The addresses of an asset in the catalog")
struct AddressTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
        id = try fixture.rendition(of: token)
        try fixture.store([0], of: id)
    }

    /// A stream that has a rendition of so many segments at another place.
    private func plan(
        _ segments: Int, _ kind: RenditionKind = .variant, sources: [SourcePlaylist] = []
    ) throws -> DownloadPlan {
        let names = (0..<segments).map { "\($0).ts" }
        let stream = ResolvedStream(
            selected: SelectedStream(
                kind: kind, uri: "x", required: true, listings: [try AttributeList(parsing: "BANDWIDTH=1")]),
            url: "https://new/v/index.m3u8", playlist: try Playlists.parsedMedia(Playlists.media(names)),
            container: .m4s)
        return DownloadPlan([stream], sources: sources)
    }

    private func relink(_ plan: DownloadPlan, _ change: (inout FreshLink) -> Void = { _ in }) throws {
        var link = FreshLink(url: "https://new/x")
        change(&link)
        try fixture.catalog.addresses.relink(token, plan, through: link, at: moment(1))
    }

    private var urls: [String] { get throws { try fixture.catalog.units.all(of: id).map(\.url) } }

    @Test("for missing units come from the same stream")
    func fresh() throws {
        try relink(plan(2)) { $0.redirects = ["https://r"] }
        #expect(try urls == ["https://host/0", "https://new/v/1.ts"])
        let asset = try #require(try fixture.catalog.assets.asset(token))
        #expect(asset.sourceURL == "https://new/x" && asset.redirects == ["https://r"])
        #expect(try fixture.events(of: token) == ["changed"])
    }

    @Test("stay all as they are when another stream lacks something that is missing")
    func other() throws {
        #expect(refusal { try relink(plan(1)) } == #"notSameStream("video")"#)
        #expect(try urls == ["https://host/0", "https://host/1"] && fixture.events(of: token) == [])
        try relink(plan(1)) { $0.others = [id] }
        #expect(try urls == ["https://host/0", "https://host/1"] && fixture.events(of: token) == ["changed"])
        try fixture.catalog.renditions.setFailure("gone", ofRendition: id)
        try relink(plan(1))
    }

    @Test("are not searched for subtitle files of the user and for renditions inside another one")
    func own() throws {
        try fixture.rendition("de", of: token, .subtitles) { $0.sourceFile = "source.srt" }
        try fixture.rendition("sound", of: token, .audio) { $0.hasPlaylist = false }
        try relink(plan(2))
        #expect(try urls.last == "https://new/v/1.ts")
    }

    @Test("from a link resolver are taken while the asset waits for them, those of the user always")
    func wanted() throws {
        try relink(plan(2)) { $0.former = "https://host/x" }
        #expect(try urls.last == "https://host/1")
        try fixture.apply(.yield, to: token, .link)
        try relink(plan(2)) { $0.former = "https://other/x" }
        #expect(try urls.last == "https://host/1")
        try relink(plan(2)) { $0.former = "https://host/x" }
        #expect(try urls.last == "https://new/v/1.ts")
    }

    @Test("of a recording need not be listed any more, but its renditions must be there")
    func recording() throws {
        try relink(plan(1)) { $0.isOfRecording = true }
        #expect(try urls == ["https://host/0", "https://host/1"])
        try relink(plan(2)) { $0.isOfRecording = true }
        #expect(try urls.last == "https://new/v/1.ts")
        let silent = DownloadPlan([], sources: [])
        #expect(refusal { try relink(silent) { $0.isOfRecording = true } } == #"notSameStream("video")"#)
    }

    @Test("of the playlists of a recording become those of the stream where parts were recorded")
    func recordedPlaylist() throws {
        let source = SourcePlaylist(rendition: "video", url: "https://host/v.m3u8", body: [1])
        try fixture.catalog.write(.asset(token)) { try RenditionTable.insert(source, of: token, $0) }
        func playlist() throws -> SourcePlaylist? {
            try fixture.catalog.renditions.sourcePlaylist(token, "video")
        }
        try relink(plan(2)) { $0.isOfRecording = true }
        #expect(try playlist()?.url == "https://host/v.m3u8", "no part of it was recorded")
        let recorded = PlannedRecording(
            wish: Selection.Recording(), states: ["video": .init(shift: 0, discontinuity: 0)])
        try fixture.catalog.write(.asset(token)) { try RecordingTable.insert(recorded, of: token, $0) }
        try relink(plan(2)) { $0.isOfRecording = true }
        #expect(try playlist()?.url == "https://new/v/index.m3u8")
    }

    /// The multivariant playlist with session data of these names.
    private func source(_ names: [String]) -> SourcePlaylist {
        let data = names.map { "#EXT-X-SESSION-DATA:DATA-ID=\"\($0)\",URI=\"\($0).json\"\n" }.joined()
        return SourcePlaylist(
            rendition: "", url: "https://host/x",
            body: Array("#EXTM3U\n\(data)#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8))
    }

    @Test(
        "of a recording come with new session data; stored ones stay where the playlist has the same as before",
        arguments: [
            (["a", "b", "c"], [0, 1, 2]), (["a", "x", "c"], [0, 2]), (["a"], [0]),
            (["x", "b", "c", "d"], [1, 2]),
        ])
    func sessionData(names: [String], kept: [Int]) throws {
        try fixture.catalog.write(.asset(token)) { session in
            try RenditionTable.insert(source(["a", "b", "c"]), of: token, session)
            let data = (0..<3).map { SessionDataRecord(number: $0, isJSON: true, body: [1]) }
            try SessionDataTable.insert(data, of: token, session)
        }
        try relink(plan(2, sources: [source(names)])) { $0.isOfRecording = true }
        #expect(try fixture.catalog.sessionData.sessionDataNumbers(of: token) == Set(kept))
    }

    @Test("are asked for with the header fields that were given last; a request that waits has them, too")
    func access() throws {
        let waiting = NewAsset(record: sampleRecord(2), request: [1])
        _ = try fixture.catalog.queue.enqueue([waiting])
        try fixture.catalog.addresses.setAccess(of: waiting.record.token, [5], request: nil)
        #expect(try fixture.catalog.assets.asset(waiting.record.token)?.access == [5])
        #expect(try fixture.catalog.queue.request(of: waiting.record.token) == [1])
        try fixture.catalog.addresses.setAccess(of: waiting.record.token, nil, request: [6])
        #expect(try fixture.catalog.assets.asset(waiting.record.token)?.access == nil)
        #expect(try fixture.catalog.queue.request(of: waiting.record.token) == [6])
    }

    @Test("are asked for with an edited access, also in a request that waits; an empty edit changes nothing")
    func editedAccess() throws {
        let (catalog, record) = (fixture.catalog, sampleRecord(2))
        let vault = try KeyVault(FilePath(fixture.folder.file("store.key")))
        let sealed = try vault.sealed(AssetRequest(url: "https://host/x"), record.token)
        _ = try catalog.queue.enqueue([NewAsset(record: record, request: sealed)])
        var edit = AccessEdit()
        try vault.setAccess(of: record, edit, in: catalog)
        #expect(try catalog.queue.request(of: record.token) == sealed)
        edit.userAgent = "Player/1"
        try vault.setAccess(of: record, edit, in: catalog)
        let edited = try #require(try catalog.assets.asset(record.token))
        #expect(try vault.access(of: edited).userAgent == "Player/1")
        let waiting = try #require(try catalog.queue.request(of: record.token))
        #expect(try vault.request(waiting, record.token).access.userAgent == "Player/1")
    }
}
