import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The sample indexes of a rendition")
struct SampleIndexTests {
    private let fixture: TableFixture
    private let id: Int64
    private var indexes: SampleIndexTable { fixture.catalog.sampleIndexes }

    init() throws {
        fixture = try TableFixture()
        id = try fixture.rendition(of: fixture.add(1))
    }

    @Test("are those of its present content")
    func revisions() throws {
        try indexes.enter([0: [1], 1: []], ofRendition: id, revision: [7])
        try indexes.enter([1: [2], 2: [3]], ofRendition: id, revision: [7])
        #expect(try indexes.all(ofRendition: id, revision: [7]) == [0: [1], 1: [2], 2: [3]])
        #expect(try indexes.all(ofRendition: id, revision: [8]) == [:])
        try indexes.enter([2: [4]], ofRendition: id, revision: [8])
        #expect(try indexes.all(ofRendition: id, revision: [8]) == [2: [4]])
        #expect(try indexes.all(ofRendition: id, revision: [7]) == [:], "they were of other content")
    }

    @Test("are not entered when it was removed")
    func removed() throws {
        try indexes.enter([0: [1]], ofRendition: id + 1, revision: [7])
        #expect(try indexes.all(ofRendition: id + 1, revision: [7]) == [:])
    }

    @Test("of other renditions stay when its own are replaced")
    func others() throws {
        let other = try fixture.rendition(of: fixture.add(2))
        try indexes.enter([0: [1]], ofRendition: other, revision: [7])
        try indexes.enter([0: [2]], ofRendition: id, revision: [8])
        #expect(try indexes.all(ofRendition: other, revision: [7]) == [0: [1]])
    }
}
