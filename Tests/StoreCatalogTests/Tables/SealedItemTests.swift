import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The items of a catalog that the store's key has sealed")
struct SealedItemTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var sealed: SealedItems { fixture.catalog.sealed }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
    }

    private func enter(_ keys: KeyRecord...) throws {
        try fixture.catalog.write(.asset(token)) { session in
            for key in keys { try RenditionTable.insert(key, of: token, session) }
        }
    }

    private func key(_ id: String, _ bytes: [UInt8]? = nil, digest: [UInt8]? = nil) -> KeyRecord {
        KeyRecord(id: id, url: "u", sealed: bytes, digest: digest)
    }

    @Test("are content keys, each for its own purpose, also those that are not stored")
    func keys() throws {
        try enter(
            key("a", [1]), key("b"), KeyRecord(id: "c", url: "u", sealed: [3], format: "drm"),
            KeyRecord(id: "d", url: "u", sealed: [4], identifier: [9]),
            KeyRecord(id: "e", url: "u", sealed: [5], identifier: Array("e".utf8)))
        let items = try sealed.contentKeys(of: [token]).sorted { $0.purpose < $1.purpose }
        #expect(items.map(\.purpose) == ["a", "b", "c", "d", "e"].map { KeyVault.purpose(ofKey: $0, token) })
        #expect(items.map(\.bytes) == [[1], [], [3], [4], [5]])
        #expect(items.map(\.isBlob) == [false, false, true, false, false])
        // A key that was given by its name in the asset has that name instead of an identifier.
        #expect(items.map(\.identifier) == [nil, nil, nil, [9], nil])
        #expect(items.allSatisfy { $0.token == token })
        #expect(try sealed.sealedKeys().map(\.bytes).sorted { $0[0] < $1[0] } == [[1], [3], [4], [5]])
        #expect(try sealed.contentKeys(of: [fixture.add(2)]).isEmpty)
    }

    @Test("are requests that wait")
    func requests() throws {
        let waiting = NewAsset(record: sampleRecord(2), request: [7])
        _ = try fixture.catalog.queue.enqueue([waiting])
        let items = try sealed.sealedRequests()
        #expect(items.map(\.bytes) == [[7]] && items.map(\.token) == [waiting.record.token])
        #expect(items.map(\.purpose) == [KeyVault.purpose(ofRequestFor: waiting.record.token)])
        #expect(items.map(\.isBlob) == [false] && items.map(\.identifier) == [nil])
    }

    @Test("are tried on a key by the newest and the oldest of each kind")
    func samples() throws {
        #expect(try sealed.sealedSamples().isEmpty)
        for number in 2...4 {
            let asset = NewAsset(record: sampleRecord(number), request: [UInt8(number)])
            _ = try fixture.catalog.queue.enqueue([asset])
            try fixture.catalog.write(.asset(asset.record.token)) { session in
                try RenditionTable.insert(
                    key("a", [UInt8(10 + number)]), of: asset.record.token, session)
            }
        }
        try enter(key("none"))
        #expect(try sealed.sealedSamples().map { $0.bytes[0] }.sorted() == [2, 4, 12, 14])
    }

    @Test("are given up with their digests, except a key that another one has replaced in the meantime")
    func givenUp() throws {
        try enter(key("a", [1], digest: [5]), key("b", [2], digest: [6]), key("c", digest: [7]))
        let items = try sealed.sealedKeys()
        try enter(key("b", [3], digest: [8]))
        try sealed.giveUp(items, andDigests: false)
        let left = try fixture.catalog.renditions.keys(of: token)
        #expect(left.map(\.sealed) == [nil, [3], nil] && left.map(\.digest) == [nil, [8], [7]])
        #expect(try sealed.digestsOfWiped() == 1)
        try sealed.giveUp([], andDigests: true)
        #expect(try fixture.catalog.renditions.keys(of: token).map(\.digest) == [nil, [8], nil])
    }
}
