import Foundation
import SidebandSubtitles
import Testing

@Suite("A frame for a terminal")
struct WritingTerminalTests {
    /// The rows of a WebVTT text in a frame without colors.
    private func rows(_ body: String, columns: Int = 40, rows: Int = 10) throws -> String {
        let track = ShownTrack(try file("WEBVTT\n\n" + body).track)
        let frame = TerminalFrame(columns: columns, rows: rows, usesColor: false)
        return text(frame.bytes(of: [track], at: CueTime(seconds: 1)))
    }

    @Test("has wide characters in two cells, without a blank behind them")
    func wide() throws {
        #expect(try rows(body("漢字a", "align:left")) == "漢字a\n")
        #expect(try rows(body("a漢", "align:right")) == String(repeating: " ", count: 37) + "a漢\n")
    }

    @Test("has 4 to 120 rows", arguments: [(0, 4), (4, 4), (5, 5), (17, 17), (120, 120), (121, 120)])
    func height(wanted: Int, count: Int) throws {
        let cues = (0..<130).map { body("\($0)") }.joined()
        #expect(try rows(cues, rows: wanted).split(separator: "\n").count == count)
    }

    @Test("has 20 to 250 columns", arguments: [(0, 20), (20, 20), (21, 21), (250, 250), (251, 250)])
    func width(wanted: Int, count: Int) throws {
        let row = try rows(body("a", "align:right"), columns: wanted)
        #expect(row == String(repeating: " ", count: count - 1) + "a\n")
    }

    @Test("has blank rows between texts, and none above and below")
    func blanks() throws {
        #expect(try rows(body("a", "line:2 align:left") + body("b", "line:5 align:left")) == "a\n\n\nb\n")
    }

    @Test("is empty without text")
    func empty() throws {
        #expect(try rows("00:02.000 --> 00:03.000\na") == "")
    }
}

@Suite("Properties of text in a frame")
struct WritingPropertyTests {
    /// The fragments of the only line that a text shows, as JSON has them.
    private func fragments(_ body: String) throws -> [[String: Any]] {
        let data = Data(FrameJSON.bytes(of: try Scene(body).layout))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cues = try #require(root["cues"] as? [[String: Any]])
        let lines = try #require(cues.first?["lines"] as? [[String: Any]])
        return try #require(lines.first?["fragments"] as? [[String: Any]])
    }

    @Test("are true in JSON if they apply, and otherwise not there")
    func flags() throws {
        let names = ["italic", "rtl", "ruby", "upright", "hidden", "font_weight", "background", "lang"]
        let italic = try fragments(body("<i>a</i>b"))
        #expect(italic.map { $0["text"] as? String } == ["a", "b"])
        #expect(italic.first?["italic"] as? Bool == true)
        #expect(italic.last.map { Set($0.keys).isDisjoint(with: names) } == true)
        #expect(try fragments(body("שלום")).first?["rtl"] as? Bool == true)
        let ruby = try fragments(body("<ruby>a<rt>b</rt></ruby>"))
        #expect(ruby.map { $0["ruby"] as? Bool } == [nil, true])
        #expect(ruby.map { $0["rtl"] as? Bool } == [nil, nil])
        #expect(ruby.map { $0["upright"] as? Bool } == [nil, nil])
        let hidden = try fragments(body("<u>a</u>b", style: "::cue(u) { visibility: hidden }"))
        #expect(hidden.map { $0["hidden"] as? Bool } == [true, nil])
    }

    @Test("have names of fonts in HTML, in quotation marks if they are more than a word")
    func families() throws {
        func font(_ style: String?) throws -> String {
            text(FrameHTML.bytes(of: try Scene(body("x", style: style)).layout))
        }
        #expect(try font(nil).contains("px sans-serif;direction:ltr"))
        let families = "Arial, \"My Font\", \"X1\", monospace"
        let html = try font("::cue { font-family: \(families) }")
        #expect(html.contains("px Arial,'My Font','X1',monospace;direction:ltr"))
    }

    @Test(
        "have names of fonts that end no string of HTML",
        arguments: [
            (#""a'b""#, "'ab'"), (#""a'\301 b""#, "'a\u{301}b'"), (#""a\d\a b""#, "'ab'"),
            (#""a\c b""#, "'ab'"),
            (#""a\\b""#, "'ab'"), (#""""#, "''"),
        ])
    func hostileFamilies(name: String, written: String) throws {
        let style = "::cue { font-family: \(name), serif }"
        let html = text(FrameHTML.bytes(of: try Scene(body("x", style: style)).layout))
        #expect(html.unicodeScalars.contains("px \(written),serif;direction:ltr".unicodeScalars))
    }
}
