import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A rendition that was given up")
struct RenditionFailureTests {
    private let fixture: TableFixture
    private let tokens: [AssetToken]
    private var renditions: RenditionTable { fixture.catalog.renditions }

    init() throws {
        let fixture = try TableFixture()
        tokens = try (1...2).map { number in
            let token = try fixture.add(number)
            let id = try fixture.rendition(of: token)
            try fixture.catalog.renditions.setFailure("gone", ofRendition: id)
            return token
        }
        self.fixture = fixture
    }

    private func failures() throws -> [String?] { try tokens.map { try fixture.row($0)?.failure } }

    @Test("may be tried again when its asset is forgiven, and those of other assets may not")
    func forgiven() throws {
        #expect(try failures() == ["gone", "gone"])
        try renditions.forgive(tokens[0])
        #expect(try failures() == [nil, "gone"])
    }

    @Test("is as before when that is taken back")
    func takenBack() throws {
        let row = try #require(try fixture.row(tokens[1]))
        try renditions.setFailure(nil, ofRendition: row.id)
        #expect(try failures() == ["gone", nil])
    }

    @Test("is missed where it was asked for, and that is told")
    func leftOut() throws {
        let items = [LeftOut(.subtitles, "de", offered: ["fr"])]
        try renditions.setLeftOut(items, of: tokens[0], at: moment(1))
        #expect(try fixture.catalog.assets.asset(tokens[0])?.leftOut == items)
        #expect(try fixture.catalog.assets.asset(tokens[1])?.leftOut == [])
        #expect(try fixture.events(of: tokens[0]) == ["changed tracks"])
        try renditions.setLeftOut([], of: tokens[0], at: moment(2))
        #expect(try fixture.catalog.assets.asset(tokens[0])?.leftOut == [])
    }
}
