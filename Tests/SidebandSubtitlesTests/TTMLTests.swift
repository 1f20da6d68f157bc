import SidebandSubtitles
import Testing

@Suite("Timed Text")
struct TTMLTests {
    private func cues(_ body: String, head: String = "", root: String = "") throws -> [Cue] {
        let document = """
            <?xml version="1.0"?><!DOCTYPE tt [<!ENTITY x "y">]><!-- -->
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="urn:s" xmlns:ttp="urn:p" \(root)>
            <head><metadata><ttm:title>no text</ttm:title></metadata>\(head)</head><body>\(body)</body></tt>
            """
        return try SubtitleFile(reading: Array(document.utf8)).track.cues
    }

    @Test(
        "counts time in every way there is",
        arguments: [
            ("00:00:01.5", 1.5), ("01:02:03", 3723), ("00:00:01:12", 1.48), ("2.5s", 2.5), ("1500ms", 1.5),
            ("25f", 1), ("90000t", 1), ("1.5m", 90), ("1h", 3600),
        ])
    func times(_ expression: String, _ seconds: Double) throws {
        let body = "<div><p begin=\"\(expression)\" dur=\"1s\">a</p></div>"
        let found = try cues(body, root: "ttp:frameRate=\"25\" ttp:tickRate=\"90000\"")
        #expect(found.map(\.start) == [CueTime(seconds: seconds)])
        #expect(found.map(\.end) == [CueTime(seconds: seconds + 1)])
    }

    @Test("times are relative to the parent, in parallel or in sequence")
    func nesting() throws {
        let nested = try cues(
            "<div begin=\"10s\" end=\"20s\"><p begin=\"1s\" end=\"30s\">a<span begin=\"2s\">b</span></p></div>"
        )
        #expect(summary(nested) == ["11.0 13.0 a", "13.0 20.0 ab"])
        let sequence = try cues("<div timeContainer=\"seq\"><p dur=\"1s\">a</p><p dur=\"2s\">b</p></div>")
        #expect(summary(sequence) == ["0.0 1.0 a", "1.0 3.0 b"])
    }

    @Test("text without an end lasts as long as the rest, and later text has no end")
    func withoutEnd() throws {
        let found = try cues(
            """
            <div><p>a</p><p begin="1s">b<span begin="1s" end="3s">c</span></p><p begin="2s" end="8s">d</p>
            <p begin="9s">e</p></div><div timeContainer="seq"><p begin="5s">f</p><p>g</p></div>
            """)
        let expected = [
            "0.0 8.0 a", "1.0 2.0 b", "2.0 8.0 d", "2.0 4.0 bc", "4.0 8.0 b", "5.0 8.0 f",
        ]
        #expect(summary(found.filter { !$0.isEndless }) == expected)
        #expect(found.filter(\.isEndless).map(\.text) == ["e"])
        #expect(found.last?.start == CueTime(seconds: 9))
        let alone = try cues("<div><p>a</p><p begin=\"1s\">b</p></div>")
        #expect(alone.map(\.text) == ["a", "b"] && alone.allSatisfy(\.isEndless))
    }

    @Test("line breaks, styles by reference and ruby are kept, blanks are not")
    func markup() throws {
        let head = "<styling><style xml:id=\"i\" tts:fontStyle=\"italic\" tts:color=\"#FFFF00FF\"/></styling>"
        let found = try cues(
            """
            <div><p begin="0s" end="1s">
               a &amp; &#x62;<br/>  <span style="i">c   &lt;d&gt;</span>
               <span tts:ruby="container"><span tts:ruby="base">漢</span><span tts:ruby="text">かん</span></span>
            </p></div>
            """, head: head)
        #expect(
            found.map(\.text) == [
                "a &amp; b\n<c.yellow><i>c &lt;d&gt;</i></c> <ruby>漢<rt>かん</rt></ruby>"
            ])
    }

    @Test("a region places its text; without one players do it by themselves")
    func regions() throws {
        let head = """
            <layout><region xml:id="r" tts:origin="10% 20%" tts:extent="50% 30%">
            <style tts:displayAlign="after"/><style tts:textAlign="center"/></region></layout>
            """
        let placed = try #require(
            try cues("<div region=\"r\"><p begin=\"0s\" end=\"1s\">a</p></div>", head: head).first
        ).settings
        #expect(placed.line == 50 && placed.lineAlignment == .end && !placed.snapsToLines)
        #expect(placed.position == 35 && placed.size == 50 && placed.textAlignment == .center)
        let free = try #require(try cues("<div><p begin=\"0s\" end=\"1s\">a</p></div>").first)
        #expect(free.settings == CueSettings())
    }

    @Test("text has the look of its region where nothing nearer says otherwise")
    func regionStyles() throws {
        let head = """
            <layout><region xml:id="r"><style tts:color="yellow" tts:fontStyle="italic"/></region></layout>
            """
        let red = "<span tts:color=\"red\">b</span><span tts:color=\"rgba(240,128,48,255)\">c</span>"
        let found = try cues(
            """
            <div region="r"><p begin="0s" end="1s">a</p><p begin="1s" end="2s" tts:fontStyle="normal">a\(red)</p></div>
            <div><p begin="2s" end="3s">c</p></div>
            """, head: head)
        let expected = ["<c.yellow><i>a</i></c>", "<c.yellow>a</c><c.red>b</c><c.rgb-f08030>c</c>", "c"]
        #expect(found.map(\.text) == expected)
    }

    @Test("blanks alone show nothing, in any style", arguments: ["", "yellow"])
    func styledBlanks(color: String) throws {
        let head = "<layout><region xml:id=\"r\"><style tts:color=\"\(color)\"/></region></layout>"
        let spans = """
            <span begin="1s" end="2s">A</span> <span tts:ruby="container"><span begin="3s" end="4s">B</span></span>
            """
        let found = try cues("<div><p region=\"r\">\(spans) </p></div>", head: head)
        #expect(found.map(\.start) == [CueTime(seconds: 1), CueTime(seconds: 3)])
        #expect(found.map(\.end) == [CueTime(seconds: 2), CueTime(seconds: 4)])
        #expect(found.first?.text.contains("A") == true && found.last?.text.contains("B") == true)
    }

    @Test("endless nesting and broken markup give the readable text")
    func hostile() throws {
        let deep = String(repeating: "<span>", count: 5000)
        #expect(try cues("<div><p begin=\"0s\" end=\"1s\">\(deep)a</p></div>").map(\.text) == ["a"])
        #expect(try cues("<div><p begin=\"0s\" end=\"1s\">a</p><p begin=\"x\"").count == 1)
    }
}
