import Foundation
import SidebandSubtitles
import Testing

@Suite("A layout written")
struct FrameOutputTests {
    @Test("as JSON has every box in pixels")
    func json() throws {
        let scene = try Scene("id\n" + body("<b>a</b> \"b\"", "line:0"))
        let data = Data(FrameJSON.bytes(of: scene.layout))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(difference(["width": 1000, "height": 1000, "valid_from": 0, "valid_until": 10], root) == nil)
        let cues = try #require(root["cues"] as? [[String: Any]])
        #expect(difference(["id": "id", "x": 0, "y": 0, "width": 1000, "height": 60], cues[0]) == nil)
        let lines = try #require(cues[0]["lines"] as? [[String: Any]])
        let fragments = try #require(lines[0]["fragments"] as? [[String: Any]])
        #expect(
            difference(["text": "a", "x": 425, "font_weight": 700, "color": "#ffffff"], fragments[0]) == nil)
        #expect(fragments[1]["text"] as? String == " \"b\"")
        #expect(cues[0]["opacity"] == nil)
    }

    @Test("as JSON has an end only if a change follows, and an opacity only below 1")
    func jsonExceptions() throws {
        let style = "::cue { opacity: 0.5 }"
        let data = try ([1, 20] as [Double]).map { seconds in
            Data(FrameJSON.bytes(of: try Scene(body("a", style: style), at: seconds).layout))
        }
        let roots = try data.map { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        let cues = try #require(roots[0]?["cues"] as? [[String: Any]])
        #expect(cues.map { $0["opacity"] as? Double } == [0.5])
        #expect(roots[0]?["valid_until"] as? Double == 10)
        #expect(roots[1]?["valid_until"] is NSNull)
    }

    @Test("as HTML has no background that can't be seen, and no upright text in the direction of its line")
    func htmlExceptions() throws {
        let style = "::cue { background: transparent }\n::cue(c) { text-combine-upright: all }"
        let text = "\u{65E5}<c>12</c>"
        let vertical = SidebandSubtitlesTests.text(
            FrameHTML.bytes(of: try Scene(body(text, "vertical:rl", style: style)).layout))
        #expect(!vertical.contains("background:"))
        #expect(vertical.matches(of: /class="text"/).count == 2)
        #expect(vertical.matches(of: /writing-mode:vertical-rl/).count == 1)
        let horizontal = SidebandSubtitlesTests.text(FrameHTML.bytes(of: try Scene(body(text)).layout))
        #expect(horizontal.contains("background:rgba(0,0,0,0.8)"))
        #expect(!horizontal.contains("writing-mode"))
    }

    @Test("for a terminal has the marks of its text, and no background that is nearly clear")
    func terminalMarks() throws {
        let style = """
            ::cue { background: rgba(0,0,0,0.3) }
            ::cue(b) { font-weight: 600 }
            ::cue(c) { text-decoration: line-through }
            """
        let marked = body("<b>a</b><i>b</i><u>c</u><c>d</c>", "align:left", style: style)
        let track = ShownTrack(try file("WEBVTT\n\n" + marked).track)
        let frame = TerminalFrame(columns: 40, rows: 10).bytes(of: [track], at: CueTime(seconds: 1))
        let rest = ";38;2;255;255;255m"
        let cells = ["1\(rest)a", "3\(rest)b", "4\(rest)c", "9\(rest)d"].map { "\u{1B}[0;" + $0 }
        #expect(text(frame) == cells.joined() + "\u{1B}[0m\n")
    }

    @Test("as HTML escapes its text and closes its elements")
    func html() throws {
        let scene = try Scene(body("&lt;script>&amp; \"x\"", style: "::cue { font-family: \"a'b;<c\" }"))
        let html = text(FrameHTML.bytes(of: scene.layout))
        #expect(html.contains("&lt;script&gt;&amp; &quot;x&quot;</div>") && !html.contains("<script"))
        #expect(html.contains("'ab;&lt;c'"))
        #expect(html.matches(of: /<div/).count == html.matches(of: /<\/div>/).count)
    }

    @Test("as HTML has the decorations of its text")
    func decorations() throws {
        let style = "::cue { outline: 2px solid red }\n::cue(u) { text-shadow: 1px -2px lime, 0 0 3px blue }"
        let html = text(FrameHTML.bytes(of: try Scene(body("<u>x</u>", style: style)).layout))
        #expect(html.contains("outline:2px solid #ff0000"))
        #expect(html.contains("text-shadow:1px -2px 0px #00ff00,0px 0px 3px #0000ff"))
        #expect(html.contains("text-decoration:underline #ffffff"))
    }

    @Test("for a terminal has text in its colors, where it belongs")
    func terminal() throws {
        let track = ShownTrack(try file("WEBVTT\n\n" + body("<c.lime>a</c>b", "align:left")).track)
        let time = CueTime(seconds: 1)
        let plain = TerminalFrame(columns: 40, rows: 10, usesColor: false).bytes(of: [track], at: time)
        #expect(text(plain) == "ab\n")
        let colored = text(TerminalFrame(columns: 40, rows: 10).bytes(of: [track], at: time))
        #expect(
            colored == "\u{1B}[0;38;2;0;255;0;48;2;0;0;0ma\u{1B}[0;38;2;255;255;255;48;2;0;0;0mb\u{1B}[0m\n")
        let vertical = ShownTrack(try file("WEBVTT\n\n" + body("漢字", "vertical:rl line:0")).track)
        let rows = TerminalFrame(columns: 20, rows: 4, usesColor: false).bytes(of: [vertical], at: time)
        #expect(text(rows) == "                  漢\n                  字\n")
    }
}
