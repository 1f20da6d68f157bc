import Foundation
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A listing by a reader", .timeLimit(.minutes(2)))
struct ReaderListingTests {
    @Test("has the assets whose licenses end within some seconds, and none for a time in the past")
    func expiring() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            func listed(_ seconds: Int64) throws -> [AssetToken] {
                try asset.fixture.store.reader.assets(expiring: seconds).map(\.token)
            }
            #expect(try listed(60) == [asset.token])
            #expect(try listed(59) == [])
            #expect(try listed(-1) == [])
        }
    }

    @Test(
        "looks at each file of an asset if so many files may be checked, and else at its folders", .ofSQLite)
    func budget() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 4)
        let token = try await fixture.download("/v/index.m3u8").token
        await fixture.store.stop()
        let file = try FileHandle(
            forWritingTo: URL(filePath: fixture.path(token, "video/2.ts").string))
        try file.truncate(atOffset: 100)
        try file.close()
        let reader = try StoreReader(root: fixture.root)
        func health(_ files: Int) throws -> [Health.Level] {
            try reader.assets(states: [], checking: files).map(\.health.level)
        }
        // Each of the four files counts as one, and the query for a rendition as 16. A folder does not show that a
        // file was cut off.
        #expect(try health(19) == [.sound])
        #expect(try health(20) == [.damaged])
    }

    @Test("of the assets that an action concerns has those that it changes, the oldest first")
    func concerned() async throws {
        try await StoreFixture.run { fixture async throws in
            let states: [AssetState] = [.complete, .paused, .cancelled, .failed]
            let tokens = (Int64(1)...4).map { AssetToken(at: Timestamp(milliseconds: $0)) }
            for (token, state) in zip(tokens, states).reversed() {
                try fixture.store.catalog.assets.insert(
                    AssetRecord(
                        token: token, name: "x", sourceURL: "x", state: state,
                        requestedAt: Timestamp(milliseconds: 0)))
            }
            let reader = fixture.store.reader
            #expect(try reader.tokens() == tokens)
            #expect(try reader.tokens(for: .remove) == tokens)
            #expect(try reader.tokens(for: .resume) == Array(tokens[1...]))
            #expect(try reader.tokens(for: .cancel) == [tokens[1], tokens[3]])
            #expect(try reader.tokens(for: .pause) == [])
        }
    }

    @Test("of the bytes of a store counts those of a forgotten removal once, as an orphan")
    func orphans() async throws {
        try await StoreFixture.run { fixture async throws in
            let lost = AssetToken(at: Timestamp(milliseconds: 1))
            try fixture.folder.write([1, 2, 3, 4, 5], to: "store/assets/\(lost)/video/0.ts")
            try fixture.folder.write([1, 2, 3], to: "store/removed/stray/0.ts")
            let use = try fixture.store.reader.storage()
            #expect(use.orphans.map(\.kind) == [.asset, .removed])
            #expect(use.orphans.map(\.bytes) == [5, 3])
            #expect(use.removedBytes == 0)
        }
    }
}
