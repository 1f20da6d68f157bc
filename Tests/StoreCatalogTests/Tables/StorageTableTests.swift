import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel
@testable import StorePlanning

@Suite("The storage figures of a catalog")
struct StorageTableTests {
    private let fixture: TableFixture
    private var storage: StorageTable { fixture.catalog.storage }

    init() throws { fixture = try TableFixture() }

    private func candidate(_ token: AssetToken, at now: Int64 = 100) throws -> EvictionCandidate? {
        try storage.evictionCandidates(at: moment(now)).first { $0.token == token }
    }

    @Test("may be freed of assets that have ended or are paused")
    func candidates() throws {
        let states: [AssetState] = [
            .complete, .cancelled, .failed, .paused, .queued, .downloading, .resolving, .removing,
        ]
        let tokens = try states.enumerated().map { try fixture.add($0 + 1, $1) }
        #expect(try Set(storage.evictionCandidates(at: moment(0)).map(\.token)) == Set(tokens.prefix(4)))
    }

    @Test("counts the bytes that can be fetched again, without subtitle files of the user")
    func bytes() throws {
        let token = try fixture.add(1, .complete) { $0.priority = 4 }
        try fixture.store([0, 1], of: fixture.rendition(of: token))
        let given = try fixture.rendition("de", of: token, .subtitles) { $0.sourceFile = "source.srt" }
        try fixture.store([0], of: given, size: 5)
        let found = try #require(try candidate(token))
        #expect(found.bytes == 200 && found.priority == 4 && !found.isPinned && found.lastUsed == moment(1))
        #expect(try storage.storageShares().map(\.bytes) == [205])
        #expect(try storage.storedBytesByKind() == [.variant: 200, .subtitles: 5])
    }

    @Test("names the largest assets, and candidates for eviction among some")
    func some() throws {
        let tokens = try (1...3).map { size in
            let token = try fixture.add(size, .complete)
            try fixture.store([0], of: fixture.rendition(of: token), size: UInt64(size))
            return token
        }
        #expect(try storage.storageShares(limit: 2).map(\.token) == [tokens[2], tokens[1]])
        let candidates = try storage.evictionCandidates(at: moment(0), of: [tokens[0], tokens[2]])
        #expect(Set(candidates.map(\.token)) == [tokens[0], tokens[2]])
        #expect(try storage.evictionCandidates(at: moment(0), of: []).isEmpty)
    }

    @Test("knows when and how far assets were played last: from 9 tenths on they are watched")
    func plays() throws {
        let token = try fixture.add(1, .complete) { $0.duration = 100 }
        try storage.setPlayed([(token, moment(50), 89)])
        #expect(try candidate(token)?.isWatched == false && candidate(token)?.lastUsed == moment(50))
        try storage.setPlayed([(token, moment(40), 90)])
        #expect(try candidate(token)?.isWatched == true && candidate(token)?.lastUsed == moment(50))
        try storage.setPlayed([(token, moment(60), 10)])
        #expect(try candidate(token)?.isWatched == true)
        #expect(try storage.storageShares().first?.lastPlayedAt == moment(60))
        let live = try fixture.add(2, .complete)
        try storage.setPlayed([(live, moment(50), 0)])
        #expect(try candidate(live)?.isWatched == false)
    }

    @Test("of an asset with an ended or revoked license may be evicted as expired")
    func expired() throws {
        let rented = try fixture.add(1, .complete)
        try fixture.catalog.licenses.insert(License(LicenseTerms(rental: 1), at: moment(0)), of: rented)
        #expect(try candidate(rented, at: 999)?.isExpired == false)
        #expect(try candidate(rented, at: 1000)?.isExpired == true)
        let revoked = try fixture.add(2, .complete)
        try fixture.catalog.licenses.insert(License(LicenseTerms(), at: moment(0)), of: revoked)
        #expect(try candidate(revoked)?.isExpired == false)
        try fixture.catalog.licenses.changeLicense(of: revoked, .revoked, at: moment(1)) {
            $0.revoked(at: moment(1))
        }
        #expect(try candidate(revoked)?.isExpired == true)
    }

    @Test("has the renditions of an asset by name, and says whether more may come")
    func names() throws {
        let (token, entered) = (try fixture.add(1), try fixture.add(2, .resolving))
        try fixture.rendition(of: token)
        let names = try #require(try storage.renditionNames(of: token))
        #expect(names.names == ["video"] && !names.isBeingEntered)
        #expect(try storage.renditionNames(of: entered)?.isBeingEntered == true)
        #expect(try storage.renditionNames(of: sampleRecord(3).token) == nil)
        let empty = try TableFixture()
        #expect(try storage.hasAssets() && !empty.catalog.storage.hasAssets())
    }

    @Test("includes the folders of removed assets until they are moved out")
    func discard() throws {
        let tokens = try (1...2).map { try fixture.add($0) }
        let items = try storage.discard(tokens + tokens, at: moment(1)) { $0 == tokens[1] }
        #expect(items.map(\.path) == ["\(tokens[1])"])
        #expect(try fixture.events(of: tokens[0]) == ["removed"])
        #expect(try storage.disposals().map(\.path) == ["\(tokens[1])"])
        try storage.endDisposal(items)
        #expect(try storage.disposals().isEmpty && storage.discard([], at: moment(1)) { _ in true }.isEmpty)
    }

    @Test("of a cancelled asset is freed for good, of a resumed one it is not")
    func purge() throws {
        let token = try fixture.add(1, .cancelled)
        let id = try fixture.rendition(of: token, sections: 1)
        for name in ["empty", "rest"] { try fixture.rendition(name, of: token, .audio) }
        try fixture.store([0], of: id)
        try fixture.store([0], .initialization, of: id)
        let items = try storage.purge(token) { $0 == "rest" }
        #expect(Set(items.map(\.path)) == ["\(token)/video", "\(token)/rest"])
        let row = try #require(try fixture.row(token))
        #expect(row.storedSegments == 0 && row.storedInitializations == 0 && row.storedBytes == 0)
        #expect(try fixture.catalog.units.all(of: id, states: [.stored]).isEmpty)
        #expect(try storage.purge(token) { $0 == "rest" }.isEmpty, "their rows are there")
        try fixture.apply(.resume, to: token, .slot)
        #expect(try storage.purge(token) { _ in true }.isEmpty)
    }

    @Test("that is in use again is not freed with the old files")
    func used() throws {
        let token = try fixture.add(1)
        let items = try storage.prepare(["video", "none"], of: token)
        #expect(try storage.usedDisposals().isEmpty)
        try fixture.store([0], of: fixture.rendition(of: token))
        #expect(try storage.usedDisposals() == [items[0].id])
        try storage.setMoved([items[0]])
        #expect(try storage.usedDisposals().isEmpty && storage.disposals().map(\.isMoved) == [true, false])
    }

    @Test(
        "of cancelled assets is kept for a while, and all assets that ended since the last check are checked")
    func kept() throws {
        let tokens = try (1...3).map { try fixture.add($0) }
        for (index, token) in tokens.enumerated() {
            try fixture.apply(.cancel, to: token, at: Int64(index + 1) * 10)
        }
        #expect(try storage.keptCancelled(before: moment(20), lookedAtUntil: moment(10)) == [tokens[1]])
        try fixture.store([0], of: fixture.rendition(of: tokens[0]))
        let found = try storage.keptCancelled(before: moment(20), lookedAtUntil: moment(10))
        #expect(Set(found) == [tokens[0], tokens[1]])
    }
}
