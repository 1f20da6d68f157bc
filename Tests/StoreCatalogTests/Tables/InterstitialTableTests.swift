import Testing

@testable import StoreCatalog
@testable import StoreModel
@testable import StorePlanning

@Suite("The interstitials of an asset in the catalog")
struct InterstitialTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var interstitials: InterstitialTable { fixture.catalog.interstitials }

    init() throws {
        let fixture = try TableFixture()
        let token = try fixture.add(1)
        try fixture.rendition(of: token)
        let plan = PlannedRecording(
            wish: Selection.Recording(), states: ["video": .init(shift: 0, discontinuity: 0)])
        try fixture.catalog.write(.asset(token)) { try RecordingTable.insert(plan, of: token, $0) }
        (self.fixture, self.token) = (fixture, token)
    }

    private func add(_ records: [InterstitialRecord], _ assets: [AssetToken]) throws {
        try interstitials.add(records, assets: assets, to: token, at: moment(5))
    }

    @Test("that come up in a recording have assets that join the queue, unless these were changed since")
    func admitted() throws {
        let fresh = try fixture.add(2, .resolving)
        let others = [
            try fixture.add(3, .paused, reason: "user"), try fixture.add(4, .queued, reason: "network"),
            try fixture.add(5, .complete),
        ]
        let gone = sampleRecord(6).token
        try add([], others + [gone, fresh])
        let asset = try fixture.catalog.assets.asset(fresh)
        #expect(asset?.state == .queued && asset?.reason == "slot")
        #expect(try fixture.events(of: fresh) == ["state queued slot"])
        let states = try others.map { try fixture.catalog.assets.asset($0)?.state }
        #expect(states == [.paused, .queued, .complete])
        #expect(try others.flatMap { try fixture.events(of: $0) } == [])
        #expect(try fixture.catalog.assets.asset(others[1])?.reason == "network")
    }

    @Test("that come up in a recording are a change of its playlists")
    func pieces() throws {
        for count in 1...2 {
            try add([], [])
            #expect(try fixture.catalog.recordings.pieceCount(token, "video") == count)
        }
    }

    @Test("are listed in their order, without those whose asset was removed")
    func listed() throws {
        let (kept, removed) = (try fixture.add(2, .resolving), try fixture.add(3, .resolving))
        try add(
            [
                InterstitialRecord(number: 2, address: "https://host/list.json", list: [7]),
                InterstitialRecord(number: 1, address: "https://host/b.m3u8", asset: removed),
                InterstitialRecord(number: 0, address: "https://host/old.m3u8", asset: kept),
            ], [kept, removed])
        #expect(try interstitials.all(of: token).map(\.number) == [0, 1, 2])
        try fixture.catalog.assets.delete(removed)
        // A number has one address: the one that was entered last.
        try add([InterstitialRecord(number: 0, address: "https://host/a.m3u8", asset: kept)], [kept])
        let records = try interstitials.all(of: token)
        #expect(records.map(\.number) == [0, 2])
        #expect(records.map(\.address) == ["https://host/a.m3u8", "https://host/list.json"])
        #expect(records.map(\.asset) == [kept, nil])
        #expect(records.map(\.list) == [nil, [7]])
        #expect(try interstitials.all(of: kept).isEmpty)
    }

    @Test("have assets that are known for each of several assets")
    func assets() throws {
        let other = try fixture.add(2)
        #expect(try interstitials.interstitialAssets(of: [token, other]) == [])
        let children = [try fixture.add(3, .resolving), try fixture.add(4, .resolving)]
        try add([], [children[0]])
        try interstitials.add([], assets: [children[1]], to: other, at: moment(5))
        #expect(try interstitials.interstitialAssets(of: [token]) == [children[0]])
        #expect(try interstitials.interstitialAssets(of: [other, token]) == [children[1], children[0]])
        #expect(try interstitials.interstitialAssets(of: children) == [])
    }
}
