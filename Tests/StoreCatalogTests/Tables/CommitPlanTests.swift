import HLSPlaylist
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The plan of an asset, as it comes into the catalog")
struct CommitPlanTests {
    private let fixture: TableFixture
    private let paths: StorePaths

    init() throws {
        fixture = try TableFixture()
        paths = StorePaths(root: FilePath(fixture.folder.path))
    }

    /// A stream of two segments, whose interstitials have these assets.
    private func plan(_ children: [AssetToken] = []) throws -> DownloadPlan {
        let text = Playlists.media(["0.ts", "1.ts"])
        let listings = [try AttributeList(parsing: "BANDWIDTH=1")]
        let stream = ResolvedStream(
            selected: SelectedStream(kind: .variant, uri: "x", required: true, listings: listings),
            url: "https://host/v/index.m3u8", playlist: try Playlists.parsedMedia(text), container: .m4s)
        var plan = DownloadPlan([stream], sources: [])
        plan.interstitialAssets = children
        return plan
    }

    /// Enters a request whose playlists are being read now.
    private func resolving(_ number: Int) throws -> AssetToken {
        let asset = NewAsset(record: sampleRecord(number), request: [1])
        let token = try fixture.catalog.queue.enqueue([asset]).tokens[0]
        try fixture.apply(.resolve, to: token)
        return token
    }

    private func commit(
        _ plan: DownloadPlan, of record: AssetRecord, isPreload: Bool = false,
        title: (first: String, better: String)? = nil
    ) throws {
        try fixture.catalog.renditions.commitPlan(
            plan, resolving: record, in: paths, keys: [], isPreload: isPreload, title: title, at: moment(5))
    }

    private func asset(_ token: AssetToken) throws -> AssetRecord {
        try #require(try fixture.catalog.assets.asset(token))
    }

    private func segments(of token: AssetToken) throws -> [Int] {
        try fixture.catalog.renditions.all(of: [token])[token]?.map(\.segments) ?? []
    }

    @Test(
        "lets it wait for its turn, or for a request after a preload, like those of its interstitials",
        arguments: [(false, AssetState.queued, "slot"), (true, .paused, "preloaded")])
    func next(isPreload: Bool, state: AssetState, reason: String) throws {
        let token = try resolving(1)
        let (child, settled) = (try fixture.add(2, .resolving), try fixture.add(3, .complete))
        try commit(plan([child, settled]), of: asset(token), isPreload: isPreload)
        for each in [token, child] {
            let record = try asset(each)
            #expect(record.state == state && record.reason == reason)
            #expect(try fixture.events(of: each).last == "state \(state.rawValue) \(reason)")
        }
        #expect(try asset(settled).state == .complete && fixture.events(of: settled) == [])
        #expect(try asset(token).duration == 8 && segments(of: token) == [2])
        #expect(try !fixture.catalog.queue.isUnresolved(token))
        let children = try fixture.catalog.interstitials.interstitialAssets(of: [token])
        #expect(Set(children) == [child, settled])
    }

    @Test(
        "comes in beside a change that the user has made in the meantime, which stands",
        arguments: [(AssetAction.pause, AssetState.paused), (.cancel, .cancelled)])
    func changed(action: AssetAction, state: AssetState) throws {
        let token = try resolving(1)
        let record = try asset(token)
        let child = try fixture.add(2, .resolving)
        try fixture.apply(action, to: token, .user)
        try commit(plan([child]), of: record)
        let interstitial = try asset(child)
        #expect(interstitial.state == .paused && interstitial.reason == "preloaded")
        let now = try asset(token)
        #expect(now.state == state && now.reason == "user" && now.duration == 8)
        #expect(try segments(of: token) == [2] && !fixture.catalog.queue.isUnresolved(token))
        #expect(try fixture.events(of: token).suffix(2) == ["state \(state.rawValue) user", "changed"])
    }

    @Test("lets new interstitials of an asset that was complete wait for their turns")
    func complete() throws {
        let (token, child) = (try fixture.add(1, .complete), try fixture.add(2, .resolving))
        try commit(plan([child]), of: asset(token))
        let (now, interstitial) = (try asset(token), try asset(child))
        #expect(now.state == .complete)
        #expect(interstitial.state == .queued && interstitial.reason == "slot")
    }

    @Test("is refused for an asset that was removed, and leaves nothing")
    func removed() throws {
        let token = try resolving(1)
        let record = try asset(token)
        let child = try fixture.add(2, .resolving)
        try fixture.catalog.assets.delete(token)
        let before = try fixture.events(of: token)
        let error = refusal { try commit(plan([child]), of: record) }
        #expect(error == StoreError(.noSuchAsset(token.description)).text)
        #expect(try asset(child).state == .resolving && segments(of: token) == [])
        #expect(try fixture.events(of: token) == before)
    }

    @Test(
        "brings a better name for an asset that has its first one still",
        arguments: [("x", "Film"), ("y", "x")])
    func name(first: String, expected: String) throws {
        let token = try resolving(1)
        try commit(plan(), of: asset(token), title: (first: first, better: "Film"))
        #expect(try asset(token).name == expected)
    }

    @Test(
        "is there at once for an asset whose playlists were read before it was entered",
        arguments: [(AssetState.queued, "slot"), (.paused, "preloaded")])
    func entered(state: AssetState, reason: String) throws {
        let token = try fixture.add(1, .resolving)
        let (child, paused) = (try fixture.add(2, .resolving), try fixture.add(3, .paused, reason: "user"))
        try fixture.catalog.renditions.commitPlan(
            plan([child, paused]), for: token, in: paths, keys: [], state: state, at: moment(5))
        #expect(try fixture.events(of: token) == ["added \(state.rawValue) \(reason)"])
        #expect(try fixture.events(of: child) == ["state \(state.rawValue) \(reason)"])
        for each in [token, child] {
            let record = try asset(each)
            #expect(record.state == state && record.reason == reason)
        }
        #expect(try asset(paused).reason == "user" && fixture.events(of: paused) == [])
        #expect(try asset(token).duration == 8 && segments(of: token) == [2])
    }
}
