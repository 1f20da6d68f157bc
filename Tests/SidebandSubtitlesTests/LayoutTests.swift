import SidebandSubtitles
import Testing

@Suite("A cue's box")
struct LayoutTests {
    @Test("each region of each track that shows a cue is one box, with all its cues")
    func regions() throws {
        let head = "REGION\nid:a\nwidth:40%\n\nREGION\nid:b\nwidth:30%\nviewportanchor:100%,100%\n\n"
        let cues = body("one", "region:a") + body("two", "region:b") + body("three", "region:a")
        let scene = try Scene(head + cues, head + body("four", "region:a"))
        #expect(scene.layout.regions.map { $0.cues.map(\.text) } == [["one", "three"], ["two"], ["four"]])
    }

    @Test(
        "is at the place of its settings",
        arguments: [
            ("", [470.0, 940, 530, 1000]), ("line:0", [470, 0, 530, 60]), ("line:-2", [470, 880, 530, 940]),
            ("line:1.5", [470, 120, 530, 180]), ("line:50%", [470, 500, 530, 560]),
            ("line:50%,center", [470, 470, 530, 530]), ("line:50%,end", [470, 440, 530, 500]),
            ("line:100%", [470, 940, 530, 1000]),
            ("position:10%,line-left align:left", [100, 940, 160, 1000]),
            ("position:90%,line-right align:right", [840, 940, 900, 1000]),
            ("position:30%", [270, 940, 330, 1000]), ("align:start", [0, 940, 60, 1000]),
            ("align:end", [940, 940, 1000, 1000]), ("size:30% align:start", [0, 940, 60, 1000]),
            ("position:25%,center size:30%", [220, 940, 280, 1000]),
        ])
    func settings(settings: String, box: [Double]) throws {
        #expect(try Scene(body("ab", settings)).boxes == ["ab": box])
    }

    @Test("of vertical text stands at the side where its first line belongs")
    func vertical() throws {
        #expect(try Scene(body("ab", "vertical:rl line:0")).boxes == ["ab": [940, 440, 1000, 560]])
        #expect(try Scene(body("ab", "vertical:lr line:0")).boxes == ["ab": [0, 440, 60, 560]])
        let two = try Scene(body("ab\ncd", "vertical:rl line:0")).layout.cues[0]
        #expect(two.lines.map(\.rect.x) == [940, 880])
        #expect(try Scene(body("ab\ncd", "vertical:rl")).layout.cues[0].lines.map(\.rect.x) == [60, 0])
    }

    @Test("keeps the place it found when others are gone")
    func keepsPlace() throws {
        let text = "00:00.000 --> 00:02.000\none\n\n00:01.000 --> 00:09.000\ntwo\n\n"
        #expect(try Scene(text, at: 1).boxes["two"] == [455, 880, 545, 940])
        #expect(try Scene(text, at: 5).boxes == ["two": [455, 880, 545, 940]])
    }

    @Test("moves by whole lines until it is free, first one way, then the other")
    func snapping() throws {
        let three = body("a", "line:0") + body("b", "line:0") + body("c", "line:0")
        #expect(try Scene(three).boxes.mapValues { $0[1] } == ["a": 0, "b": 60, "c": 120])
        let bottom = body("a") + body("b\nc")
        #expect(try Scene(bottom).boxes.mapValues { $0[1] } == ["a": 940, "b/c": 820])
        let beyond = body("a", "line:200")
        #expect(try Scene(beyond).boxes.mapValues { $0[1] } == ["a": 900])
    }

    @Test("is dropped when there is no free line")
    func full() throws {
        let scene = try Scene((0..<40).map { body("\($0)") }.joined())
        #expect(scene.layout.cues.count == 16)
    }

    @Test("at a percentage moves to the nearest free place, upward when two are as near")
    func percentages() throws {
        let two = body("a", "line:50%") + body("b", "line:50%")
        #expect(try Scene(two).boxes.mapValues { $0[1] } == ["a": 500, "b": 440])
        let edge = body("a", "line:0%") + body("b", "line:0%")
        #expect(try Scene(edge).boxes.mapValues { $0[1] } == ["a": 0, "b": 60])
    }

    @Test("of a second track is one line higher")
    func tracks() throws {
        #expect(try Scene(body("a"), body("b")).boxes.mapValues { $0[1] } == ["a": 940, "b": 880])
        #expect(try Scene("", body("b")).boxes.mapValues { $0[1] } == ["b": 880])
    }

    @Test("without text does not exist and takes no room")
    func empty() throws {
        #expect(try Scene(body("") + body("a")).boxes == ["a": [485, 940, 515, 1000]])
        #expect(try Scene(body("<b> </b>")).layout.isEmpty)
    }

    @Test("is there from its start until its end")
    func active() throws {
        let text = "00:01.000 --> 00:02.000\na\n"
        #expect(try Scene(text, at: 0.999).layout.isEmpty)
        #expect(try !Scene(text, at: 1).layout.isEmpty)
        #expect(try Scene(text, at: 2).layout.isEmpty)
    }

    @Test("says for how long the picture stays")
    func validity() throws {
        let text = "00:01.000 --> 00:09.000\n<c>a</c><00:03.000><c>b</c>\n\n00:05.000 --> 00:06.000\nc\n"
        func span(_ seconds: Double) throws -> [Int?] {
            let layout = try Scene(text, at: seconds).layout
            return [layout.validFrom.milliseconds, layout.validUntil?.milliseconds]
        }
        #expect(try span(0.5) == [0, 1000])
        #expect(try span(2) == [1000, 3000])
        #expect(try span(3) == [3000, 3001])
        #expect(try span(4) == [3001, 5000])
        #expect(try span(20) == [9000, nil])
    }
}
