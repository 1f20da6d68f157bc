import Foundation
import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The assets of a catalog")
struct AssetTableTests {
    private let fixture: TableFixture
    private var assets: AssetTable { fixture.catalog.assets }

    init() throws { fixture = try TableFixture() }

    @Test("are read as they were entered")
    func read() throws {
        let token = try fixture.add(1, .paused, reason: "user") {
            ($0.priority, $0.rateLimit, $0.isMeteredOK) = (3, .max, true)
            ($0.meta, $0.tags, $0.duration) = (["k": "v"], ["a"], 1.5)
            $0.schedule = Schedule("01:00-06:00")
        }
        let asset = try #require(try assets.asset(token))
        #expect(asset.state == .paused && asset.reason == "user" && asset.sourceURL == "https://host/x")
        #expect(asset.priority == 3 && asset.rateLimit == UInt64(Int64.max) && asset.isMeteredOK)
        #expect(asset.meta == ["k": "v"] && asset.tags == ["a"] && asset.duration == 1.5)
        #expect(asset.schedule == Schedule("01:00-06:00") && asset.schedule != nil)
        #expect(asset.startedAt == nil && !asset.isPinned && asset.lost.isEmpty && asset.leftOut.isEmpty)
    }

    @Test("have each their own selection, whichever was read before")
    func selections() throws {
        let plain = try fixture.add(1)
        let wide = try fixture.add(2) { $0.selection.trickPlay = true }
        for _ in 0..<2 {
            #expect(try assets.asset(plain)?.selection.trickPlay == false)
            #expect(try assets.asset(wide)?.selection.trickPlay == true)
        }
    }

    @Test("change only in the members that an edit names")
    func edit() throws {
        let token = try fixture.add(1) { ($0.priority, $0.meta) = (3, ["k": "v"]) }
        var edit = AssetEdit()
        (edit.name, edit.isPinned) = ("new", true)
        try assets.edit(token, edit, at: moment(5))
        let asset = try #require(try assets.asset(token))
        #expect(asset.name == "new" && asset.isPinned && asset.priority == 3 && asset.meta == ["k": "v"])
        try assets.setPoster("p.jpg", of: token, at: moment(6))
        #expect(try assets.asset(token)?.poster == "p.jpg")
        #expect(try fixture.events(of: token) == ["changed", "changed"])
    }

    @Test("that do not exist can't be changed, and cause no event")
    func absent() throws {
        let token = sampleRecord(1).token
        let unknown = "noSuchAsset(\"\(token)\")"
        #expect(refusal { try assets.edit(token, AssetEdit(), at: moment(1)) } == unknown)
        #expect(refusal { try assets.setPoster(nil, of: token, at: moment(1)) } == unknown)
        #expect(refusal { try fixture.apply(.pause, to: token) } == unknown)
        #expect(refusal { try fixture.catalog.viewing.setPosition(.init(), of: token) } == unknown)
        #expect(try fixture.catalog.events.firstEvent() == nil)
    }

    @Test("come in pages from the newest to the oldest, by state, age and later events")
    func pages() throws {
        let tokens = try (1...4).map { try fixture.add($0, $0 == 3 ? .paused : .queued) }
        func page(_ states: [AssetState] = [], before: AssetToken? = nil, since: Int64? = nil) throws
            -> [AssetToken]
        {
            try assets.page(states: states, before: before, since: since, limit: 2).map(\.token)
        }
        #expect(try page() == [tokens[3], tokens[2]])
        #expect(try page(before: tokens[2]) == [tokens[1], tokens[0]])
        #expect(try page([.paused]) == [tokens[2]])
        try fixture.apply(.pause, to: tokens[0])
        try fixture.apply(.pause, to: tokens[1])
        let first = try #require(try fixture.catalog.events.firstEvent())
        #expect(try page(since: first) == [tokens[1]])
        #expect(try assets.countsByState() == [.queued: 1, .paused: 3])
        #expect(try assets.tokens(in: [.queued, .paused]) == tokens)
    }

    @Test(
        "lack only bytes that can be fetched: none of lost renditions, none of renditions inside another one")
    func missing() throws {
        let token = try fixture.add(1)
        func rendition(_ name: String, hasPlaylist: Bool = true, isLost: Bool = false) throws {
            let id = try fixture.rendition(name, of: token) {
                ($0.hasPlaylist, $0.expectedBytes) = (hasPlaylist, 1000)
            }
            try fixture.store([0], of: id, size: 300)
            if isLost { try fixture.catalog.renditions.setFailure("gone", ofRendition: id) }
        }
        try rendition("video")
        let need = try assets.missingBytes(of: [token])
        #expect(need > 0)
        try rendition("sound", hasPlaylist: false)
        try rendition("lost", isLost: true)
        #expect(try assets.missingBytes(of: [token]) == need)
        #expect(try assets.storedBytes() == 900)
    }

    @Test("that were imported from folders are told from others")
    func imported() throws {
        let (file, web) = (try fixture.add(1) { $0.sourceURL = "file:///x" }, try fixture.add(2))
        #expect(try assets.imported(among: [web, file]) == [file])
    }

    @Test("that were removed are known to have been there")
    func removed() throws {
        let tokens = try (1...3).map { try fixture.add($0) }
        try fixture.apply(.pause, to: tokens[0])
        let before = try fixture.catalog.events.lastEvent()
        for token in tokens.prefix(2) {
            _ = try fixture.catalog.storage.discard([token], at: moment(1)) { _ in false }
        }
        #expect(try assets.removed(since: before) == [tokens[1], tokens[0]])
        #expect(try assets.wasThere(tokens[0]) && !assets.wasThere(tokens[2]))
        #expect(try !assets.wasThere(sampleRecord(9).token))
        // More than one query can ask for.
        let many = (10..<9000).map { sampleRecord($0).token } + tokens
        #expect(try assets.wasThere(many) == Set(tokens.prefix(2)))
    }

    @Test("are changed together, except those that have the values already and those that are not there")
    func editMany() throws {
        let (one, high) = (try fixture.add(1), try fixture.add(2, .complete) { $0.priority = 3 })
        let unknown = sampleRecord(9).token
        var edit = AssetEdit()
        edit.priority = 3
        let results = try assets.edit([one, unknown, high], edit, at: moment(3)) { $0.priority == 3 }
        #expect(results.map(\.token) == [one, unknown, high])
        #expect(try results[0].result.get().to == .queued && results[2].result.get().to == .complete)
        #expect(refusal { _ = try results[1].result.get() } == "noSuchAsset(\"\(unknown)\")")
        #expect(try assets.asset(one)?.priority == 3)
        #expect(try fixture.events(of: one) == ["changed"] && fixture.events(of: high) == [])
    }

    @Test("of a client are found by its name for them, if it asks for the same")
    func client() throws {
        let token = try fixture.add(1) { ($0.clientID, $0.clientDigest) = ("c", [1]) }
        #expect(try assets.asset(ofClient: "c", [1]) == token)
        #expect(try assets.asset(ofClient: "d", [1]) == nil)
        #expect(refusal { _ = try assets.asset(ofClient: "c", [2]) }?.hasPrefix("clientIDTaken") == true)
    }
}
