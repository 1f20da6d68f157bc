import ModelTestSupport
import StoreTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("Plays and tags in the catalog")
struct ViewingTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var viewing: ViewingTable { fixture.catalog.viewing }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1) { $0.tags = ["a", "b"] }
    }

    @Test("find the assets of a tag, the oldest first")
    func tags() throws {
        try fixture.add(2)
        let third = try fixture.add(3) { $0.tags = ["b"] }
        #expect(try viewing.tokens(tagged: "b") == [token, third])
        #expect(try viewing.tokens(tagged: "a") == [token] && viewing.tokens(tagged: "c").isEmpty)
    }

    @Test("are one play as long as less than five minutes lie between the segments that are asked for")
    func plays() throws {
        let pause: Int64 = 5 * 60 * 1000
        try viewing.log([(token, moment(0), 4), (token, moment(pause), 2)])
        #expect(
            try viewing.plays(of: token, limit: 5)
                == [PlayRecord(beganAt: moment(0), endedAt: moment(pause), until: 4)])
        try viewing.log([(token, moment(2 * pause + 1), 8), (sampleRecord(9).token, moment(0), 1)])
        let plays = try viewing.plays(of: token, limit: 5)
        #expect(plays.map(\.beganAt) == [moment(2 * pause + 1), moment(0)] && plays[0].until == 8)
        #expect(try viewing.plays(of: token, limit: 1).count == 1)
    }

    @Test("keep how far a player was")
    func position() throws {
        var position = PlaybackPosition()
        (position.seconds, position.isWatched, position.toldAt) = (1.5, true, moment(7))
        try viewing.setPosition(position, of: token)
        #expect(try fixture.catalog.assets.asset(token)?.position == position)
    }
}

@Suite("The index of subtitles")
struct CueTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var cues: CueTable { fixture.catalog.cues }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
        try fixture.store([0, 1], of: fixture.rendition("de", of: token, .subtitles))
    }

    private func found(_ text: String, limit: Int = 9) throws -> [String] {
        try cues.find(text, limit: limit).map(\.text)
    }

    @Test("lacks whole unencrypted tracks that are not indexed yet")
    func unindexed() throws {
        try fixture.store([0], of: fixture.rendition("part", of: token, .subtitles))
        try fixture.store([0, 1], of: fixture.rendition("video", of: token))
        let lost = try fixture.rendition("lost", of: token, .subtitles)
        try fixture.store([0, 1], of: lost)
        try fixture.catalog.renditions.setFailure("gone", ofRendition: lost)
        #expect(try cues.unindexed(limit: 9).map(\.rendition) == ["de"] && cues.unindexedCount() == 1)
        try cues.index([(0, "Welt")], of: token, "de", language: "de")
        #expect(try cues.unindexedCount() == 0)
    }

    @Test("finds parts of words of any length in either case, and marks of patterns as they are")
    func find() throws {
        let texts = ["Hallo Welt", "100%", "a_b", #"c:\d"#, #"say "it""#]
        try cues.index(texts.enumerated().map { (Double($0), $1) }, of: token, "de", language: "de")
        #expect(try found("welt") == ["Hallo Welt"] && found("lo W") == ["Hallo Welt"])
        #expect(try found("We") == ["Hallo Welt"] && found("0%") == ["100%"] && found("a_") == ["a_b"])
        #expect(try found("0%0").isEmpty && found(#":\"#) == [#"c:\d"#] && found(#""it""#) == [#"say "it""#])
        #expect(try found("a", limit: 1) == ["Hallo Welt"])
        let cue = FoundCue(token: token, rendition: "de", language: "de", start: 1, text: "100%")
        #expect(try cues.find("100", limit: 9) == [cue])
    }

    @Test("has the present cues of each track, and none of removed tracks")
    func replaced() throws {
        try cues.index([(0, "first one"), (4, "first two")], of: token, "de", language: nil)
        try fixture.store([0, 1], of: fixture.rendition("fr", of: token, .subtitles))
        try cues.index([(0, "other one")], of: token, "fr", language: "fr")
        #expect(try found("one") == ["first one", "other one"])
        try cues.index([(0, "second one")], of: token, "de", language: nil)
        #expect(try Set(found("one")) == ["second one", "other one"] && found("two").isEmpty)
        try cues.index([(0, "one")], of: sampleRecord(9).token, "de", language: nil)
        try fixture.catalog.assets.delete(token)
        #expect(try found("one").isEmpty)
    }

    @Test(
        "finds assets by letters of every script in either case",
        arguments: ["мир", "И МИР", "война", "ärger", "ÄRGER", "är", "100%_ä"])
    func scripts(_ text: String) throws {
        let named = try fixture.add(2) { $0.name = "Война и Мир: Ärger 100%_Ä" }
        let tagged = try fixture.add(3) { $0.tags = ["ВОЙНА И МИР", "ÄRGER", "100%_Ä"] }
        _ = try fixture.add(4) { ($0.name, $0.tags) = ("Вояж и пир: Urger 100Ö", ["über alles"]) }
        #expect(try cues.findAssets(text, limit: 9).map(\.token) == [tagged, named])
        #expect(try cues.findAssets(text, limit: 1).map(\.token) == [tagged])
    }

    @Test("finds assets by their names and tags, the newest first")
    func assets() throws {
        let named = try fixture.add(2) { $0.name = "The Film" }
        let tagged = try fixture.add(3) { $0.tags = ["Films"] }
        let found = try cues.findAssets("film", limit: 9)
        #expect(found.map(\.token) == [tagged, named] && found.map(\.tags) == [["Films"], []])
        #expect(try cues.findAssets("film", limit: 1).count == 1 && cues.findAssets("none", limit: 9).isEmpty)
    }
}
