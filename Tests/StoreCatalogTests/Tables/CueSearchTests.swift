import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A search in subtitles")
struct CueSearchTests {
    private let fixture: TableFixture
    private let token: AssetToken

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
        try fixture.store([0, 1], of: fixture.rendition("de", of: token, .subtitles))
    }

    private func found(_ text: String) throws -> [String] {
        try fixture.catalog.cues.find(text, limit: 9).map(\.text)
    }

    @Test(
        "finds letters of every script in either case",
        arguments: [
            ("GRÖ", "Größe"), ("größ", "Größe"), ("ПРИ", "привет"), ("ивет", "привет"), ("RÖ", "Größe"),
            ("Ö", "Größe"),
            ("ИВ", "привет"), ("вЕ", "привет"),
            // The lower case of the kelvin sign is the letter k.
            ("5 k", "5 \u{212A}"),
        ])
    func scripts(_ text: String, _ cue: String) throws {
        try fixture.catalog.cues.index(
            [(0, "Größe"), (1, "привет"), (2, "5 \u{212A}")], of: token, "de", language: "de")
        #expect(try found(text) == [cue])
    }

    @Test("finds the newest asset first, and the cues of a track in their order")
    func order() throws {
        let newer = try fixture.add(2)
        try fixture.rendition("de", of: newer, .subtitles)
        let cues = fixture.catalog.cues
        try cues.index([(4, "one b"), (0, "one a")], of: newer, "de", language: nil)
        try cues.index([(0, "one c")], of: token, "de", language: nil)
        for text in ["one", "on"] { #expect(try found(text) == ["one b", "one a", "one c"]) }
    }

    @Test("finds no more cues than are asked for", arguments: ["one", "on", "Ö", "ÖN"])
    func limited(text: String) throws {
        let cues = fixture.catalog.cues
        try cues.index([(0, "one öne"), (1, "one öne"), (2, "one öne")], of: token, "de", language: nil)
        #expect(try cues.find(text, limit: 2).map(\.start) == [0, 1])
    }

    @Test("finds nothing in a track without cues, which is not read again")
    func empty() throws {
        #expect(try fixture.catalog.cues.unindexedCount() == 1)
        try fixture.catalog.cues.index([], of: token, "de", language: nil)
        #expect(try fixture.catalog.cues.unindexedCount() == 0 && found("one").isEmpty)
        let other = try fixture.add(2)
        try fixture.rendition("fr", of: other, .subtitles)
        try fixture.catalog.cues.index([(0, "one")], of: other, "fr", language: nil)
        #expect(try found("one") == ["one"])
        try fixture.catalog.cues.index([], of: token, "de", language: nil)
        #expect(try found("one") == ["one"], "another track keeps its cues")
    }
}
