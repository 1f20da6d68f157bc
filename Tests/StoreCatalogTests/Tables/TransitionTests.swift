import ModelTestSupport
import StoreTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A change of an asset's state in the catalog")
struct TransitionTests {
    private let fixture: TableFixture

    init() throws { fixture = try TableFixture() }

    @Test("is an event once: the same action again changes nothing, with any reason")
    func once() throws {
        let token = try fixture.add(1)
        #expect(try fixture.apply(.pause, to: token, .user) == .paused)
        #expect(try fixture.apply(.pause, to: token, .preloaded) == .paused)
        #expect(try fixture.events(of: token) == ["state paused user"])
        #expect(try fixture.catalog.assets.asset(token)?.reason == "user")
    }

    @Test("includes a new reason of a queued asset's wait, and the end of its wait")
    func waits() throws {
        let token = try fixture.add(1, .queued, reason: "slot")
        try fixture.apply(.yield, to: token, .slot)
        try fixture.apply(.yield, to: token, .waits(.network))
        try fixture.apply(.yield, to: token, .waits(.network))
        try fixture.apply(.resume, to: token, .slot)
        #expect(try fixture.events(of: token) == ["state queued network", "state queued slot"])
    }

    @Test("does not include resuming a running asset or repairing a queued one")
    func nothing() throws {
        let running = try fixture.add(1, .downloading)
        let queued = try fixture.add(2, .queued, reason: "network")
        #expect(try fixture.apply(.resume, to: running, .slot) == .downloading)
        #expect(try fixture.apply(.repair, to: queued, .slot) == .queued)
        #expect(try fixture.events(of: running) + fixture.events(of: queued) == [])
    }

    @Test("tries lost renditions again when a failed asset is resumed, not when a paused one is")
    func forgiven() throws {
        for (number, state, failure) in [(1, AssetState.failed, nil), (2, .paused, "gone" as String?)] {
            let token = try fixture.add(number, state)
            let id = try fixture.rendition(of: token)
            try fixture.catalog.renditions.setFailure("gone", ofRendition: id)
            try fixture.apply(.resume, to: token, .slot)
            #expect(try fixture.row(token)?.failure == failure)
        }
    }

    @Test("to paused or cancelled is refused while a folder is copied, and done while playlists are read")
    func resolving() throws {
        let copied = try fixture.add(1, .resolving)
        for action in [AssetAction.pause, .cancel] {
            let word = action.participle
            #expect(
                refusal { try fixture.apply(action, to: copied) }?.contains("wrongState") == true, "\(word)")
        }
        #expect(try fixture.apply(.remove, to: copied) == .removing)
        let read = NewAsset(record: sampleRecord(2), request: [1])
        _ = try fixture.catalog.queue.enqueue([read])
        try fixture.apply(.resolve, to: read.record.token)
        #expect(try fixture.apply(.pause, to: read.record.token) == .paused)
    }

    @Test("keeps the time of the first beginning, and that of the end until it goes on")
    func times() throws {
        let token = try fixture.add(1)
        for (time, action) in [(5, AssetAction.begin), (6, .yield), (7, .begin), (8, .finish)] {
            try fixture.apply(action, to: token, at: Int64(time))
        }
        let asset = try #require(try fixture.catalog.assets.asset(token))
        #expect(asset.startedAt == moment(5) && asset.finishedAt == moment(8) && asset.stateAt == moment(8))
        try fixture.apply(.repair, to: token, .slot, at: 9)
        #expect(try fixture.catalog.assets.asset(token)?.finishedAt == nil)
    }

    @Test("is refused for each asset of a list by itself")
    func list() throws {
        let (queued, complete) = (try fixture.add(1), try fixture.add(2, .complete))
        let absent = sampleRecord(3).token
        let results = try fixture.catalog.assets.apply(
            .cancel, to: [complete, absent, queued], TransitionDetail(now: moment(1)))
        #expect(results.map(\.token) == [complete, absent, queued])
        let states = results.map { try? $0.result.get().to }
        #expect(states == [nil, nil, .cancelled])
        #expect(try fixture.catalog.assets.asset(complete)?.state == .complete)
    }

    @Test(
        "ends a repair in one step, unless the asset is in another state or was cancelled",
        arguments: [
            (AssetState.cancelled, true, AssetState.complete), (.cancelled, false, .cancelled),
            (.paused, true, .cancelled),
        ])
    func repair(_ state: AssetState, _ isWanted: Bool, _ end: AssetState) throws {
        let token = try fixture.add(1, .cancelled)
        try fixture.catalog.assets.finishRepair(of: token, from: state, at: moment(1)) { isWanted }
        #expect(try fixture.catalog.assets.asset(token)?.state == end)
    }
}
