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
@testable import StorePlanning
@testable import StoreReading

@Suite("The removed assets of a store", .timeLimit(.minutes(2)))
struct RemovedAssetListingTests {
    /// A store with an asset, from which another one was removed.
    private struct Remains {
        var fixture: StoreFixture
        var kept: AssetToken
        var gone: AssetToken
        /// The last event before the removal.
        var before: Int64

        var reader: StoreReader { fixture.store.reader }
    }

    private func run(_ body: (Remains) throws -> Void) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let kept = try await fixture.download("/v/index.m3u8").token
            let gone = try await fixture.download("/v/index.m3u8").token
            let before = try fixture.store.reader.lastEvent()
            try await fixture.store.remove(gone)
            try body(Remains(fixture: fixture, kept: kept, gone: gone, before: before))
        }
    }

    @Test("are told since an event, without a gap as long as the log has all events after it")
    func since() async throws {
        try await run { remains throws in
            let news = try remains.reader.removals(since: remains.before)
            #expect(news.tokens == [remains.gone] && !news.hasGap)
            let last = try remains.reader.lastEvent()
            let none = try remains.reader.removals(since: last)
            #expect(none.tokens.isEmpty && !none.hasGap)
        }
    }

    @Test("are not told to those who have seen no event yet")
    func first() async throws {
        try await run { remains throws in
            let news = try remains.reader.removals(since: 0)
            #expect(news.tokens.isEmpty && !news.hasGap)
        }
    }

    @Test("may be more when the log has forgotten an event, or never had it")
    func gap() async throws {
        try await run { remains throws in
            let reader = remains.reader
            let last = try reader.lastEvent()
            #expect(try reader.removals(since: last + 1).hasGap)
            try remains.fixture.store.catalog.events.forgetEvents(before: .latest)
            #expect(try reader.removals(since: last - 1).hasGap)
            #expect(try !reader.removals(since: last).hasGap)
        }
    }

    @Test("are known as such, unlike those that are there or never were")
    func known() async throws {
        try await run { remains throws in
            let reader = remains.reader
            #expect(try reader.wasRemoved(remains.gone))
            #expect(try !reader.wasRemoved(remains.kept))
            #expect(try !reader.wasRemoved(AssetToken(at: Timestamp(milliseconds: 1))))
        }
    }
}
