import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The control of assets", .timeLimit(.minutes(1)))
struct AssetControlTests {
    private func withPaused(
        _ body: (StoreFixture, AssetToken, AssetToken) async throws -> Void
    ) async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            let never = try #require(AssetToken("01ARYZ6S410000000000000000"))
            try await body(fixture, token, never)
        }
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.catalog.assets.asset(token)?.state
    }

    @Test("does what can be done, and names the assets that refuse it")
    func perform() async throws {
        try await withPaused { fixture, token, never in
            let store = fixture.store
            let resumed = try await store.perform(.resume, on: [never, token])
            #expect(resumed.done == [AssetChange(token: token, from: .paused, to: .queued)])
            #expect(resumed.refused.map(\.token) == [never])
            #expect(resumed.refused.first?.error.text == #"noSuchAsset("\#(never)")"#)
            let again = try await store.perform(.resume, on: token)
            #expect(again == AssetChange(token: token, from: .queued, to: .queued))
            let error = await failure { try await store.perform(.pause, on: never) }
            #expect(error?.text == #"noSuchAsset("\#(never)")"#)
        }
    }

    @Test("notes the reason of a change: that of the user, or the wait for a place in the queue")
    func reasons() async throws {
        try await withPaused { fixture, token, _ in
            let store = fixture.store
            try await store.perform(.resume, on: token)
            #expect(try store.reader.progress(of: token)?.reason == "slot")
            try await store.perform(.pause, on: token)
            #expect(try store.reader.progress(of: token)?.reason == "user")
        }
    }

    @Test("counts an asset as removed that was removed before, but not one that never was there")
    func removed() async throws {
        try await withPaused { fixture, token, never in
            let store = fixture.store
            try await store.remove(token)
            let outcome = try await store.perform(.remove, on: [token, never])
            #expect(outcome.done == [AssetChange(token: token, from: .removing, to: .removing)])
            #expect(outcome.refused.map(\.token) == [never])
            let paused = try await store.perform(.pause, on: [token])
            #expect(paused.done.isEmpty && paused.refused.map(\.token) == [token])
        }
    }

    @Test(
        "keeps the media of a cancelled asset, unless they are to be deleted at once",
        arguments: ["at once", "later", "by default", "as one of many", "by its handle"])
    func cancelled(_ way: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s1.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            try await eventually {
                try fixture.units(token, "video").contains { $0.state == .stored }
            }
            let isPurged = way == "at once"
            switch way {
            case "at once", "later": try await store.perform(.cancel, on: token, purge: isPurged)
            case "by default": try await store.perform(.cancel, on: token)
            case "as one of many": _ = try await store.perform(.cancel, on: [token])
            default: try await DownloadTask(id: token, store: store).cancel()
            }
            #expect(try state(fixture, token) == .cancelled)
            let bytes = try store.reader.progress(of: token)?.storedBytes
            #expect(bytes == (isPurged ? 0 : Int64(Media.ts(10).count)))
            #expect(FileSystem.isAbsent(fixture.path(token, "video/0.ts")) == isPurged)
            #expect(!FileSystem.isAbsent(fixture.path(token, "video/media.m3u8")))
            fixture.origin.release()
        }
    }

    @Test("pins, unpins and prioritizes assets, and says which have changed")
    func edits() async throws {
        try await withPaused { fixture, token, never in
            let (store, catalog) = (fixture.store, fixture.store.catalog)
            let pinned = try await store.pin([token, never], true)
            #expect(pinned.done.map(\.token) == [token] && pinned.refused.map(\.token) == [never])
            #expect(try catalog.assets.asset(token)?.isPinned == true)
            let event = try catalog.events.lastEvent()
            _ = try await store.pin([token], true)
            #expect(try catalog.events.lastEvent() == event)
            _ = try await store.pin([token], false)
            #expect(try catalog.assets.asset(token)?.isPinned == false)
            let raised = try await store.prioritize([token, never], 5)
            #expect(raised.done.map(\.token) == [token] && raised.refused.map(\.token) == [never])
            #expect(try catalog.assets.asset(token)?.priority == 5)
            let later = try catalog.events.lastEvent()
            _ = try await store.prioritize([token], 5)
            #expect(try catalog.events.lastEvent() == later)
        }
    }

    @Test("ends no recording of an asset that is not there")
    func recording() async throws {
        try await withPaused { fixture, token, never in
            let error = await failure { try await fixture.store.stopRecording(never) }
            #expect(error?.text == #"noSuchAsset("\#(never)")"#)
            try await fixture.store.stopRecording(token)
            #expect(try state(fixture, token) == .paused)
        }
    }

    private func purge(
        _ tokens: [AssetToken], sparing spared: Set<AssetToken>, with remover: AssetRemover
    ) -> (tried: Set<AssetToken>, failure: StoreError?) {
        remover.purge(tokens) { spared.contains($0) }
    }

    @Test("deletes the media of all cancelled assets but the spared ones, and says which it tried")
    func remover() async throws {
        try await withPaused { fixture, token, never in
            let remover = fixture.store.roles.remover
            #expect(purge([token, never], sparing: [token, never], with: remover).tried == [])
            let one = purge([token, never], sparing: [never], with: remover)
            #expect(one.tried == [token] && one.failure == nil)
            let part = fixture.path(token, "video/.0.ts.part")
            try DurableWrite.write([1], to: part)
            _ = try await fixture.store.perform(.cancel, on: token)
            #expect(!FileSystem.isAbsent(part))
            try remover.purge(token)
            #expect(FileSystem.isAbsent(part))
            #expect(FileSystem.names(in: fixture.path(token, "video")) == ["media.m3u8"])
        }
    }
}
