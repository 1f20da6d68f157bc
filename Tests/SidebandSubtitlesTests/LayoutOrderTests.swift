import SidebandSubtitles
import Testing

@Suite("Cues that want the same line")
struct LayoutOrderTests {
    private func tops(_ tracks: String..., at seconds: Double = 2) throws -> [String: Double] {
        let scene =
            tracks.count == 2
            ? try Scene(tracks[0], tracks[1], at: seconds) : try Scene(tracks[0], at: seconds)
        return scene.boxes.mapValues { $0[1] }
    }

    @Test("get it by their start, whatever their track")
    func starts() throws {
        let late = "00:01.000 --> 00:09.000 line:-1\nlate\n\n"
        let early = "00:00.000 --> 00:09.000 line:-1\nearly\n\n"
        #expect(try tops(late, early) == ["early": 940, "late": 880])
        #expect(try tops(early, late) == ["early": 940, "late": 880])
    }

    @Test("get it by the order of their tracks when they start together")
    func tracks() throws {
        #expect(try tops(body("a", "line:-1"), body("b", "line:-1")) == ["a": 940, "b": 880])
    }

    @Test("get it by their length when they start together in one track, the longest first")
    func lengths() throws {
        let short = "00:00.000 --> 00:05.000\nshort\n\n"
        let long = "00:00.000 --> 00:09.000\nlong\n\n"
        #expect(try tops(short + long) == ["long": 940, "short": 880])
    }
}

@Suite("A region with several cues")
struct LayoutRegionTests {
    private let header = """
        REGION
        id:r
        width:40%
        lines:3
        regionanchor:0%,100%
        viewportanchor:10%,90%

        """
    /// Two cues of which the second one starts at 1 s.
    private let two = """
        00:00.000 --> 00:10.000 region:r
        a

        00:01.000 --> 00:10.000 region:r
        b


        """

    @Test(
        "that scrolls moves up along the curve `ease` for 433 milliseconds",
        arguments: [(0, 60), (50, 53), (100, 38), (200, 14), (300, 4), (400, 0), (433, 0)] as [(Int, Double)])
    func curve(milliseconds: Int, rest: Double) throws {
        let text = header + "scroll:up\n\n" + two
        let scene = try Scene(text, at: Double(1000 + milliseconds) / 1000)
        #expect(scene.boxes.mapValues { $0[1] } == ["a": 780 + rest, "b": 840 + rest])
    }

    @Test("that scrolls makes a picture of each millisecond until it is at rest")
    func scrollingTime() throws {
        func span(_ text: String, _ seconds: Double) throws -> [Int?] {
            let layout = try Scene(text, at: seconds).layout
            return [layout.validFrom.milliseconds, layout.validUntil?.milliseconds]
        }
        let scrolling = header + "scroll:up\n\n" + two
        #expect(try span(scrolling, 0.999) == [0, 1000])
        #expect(try span(scrolling, 1) == [1000, 1001])
        #expect(try span(scrolling, 1.432) == [1432, 1433])
        #expect(try span(scrolling, 1.433) == [1000, 10_000])
        #expect(try span(header + "\n" + two, 1) == [1000, 10_000])
    }

    @Test("shows the first lines that fit, but with scrolling the last ones")
    func overflow() throws {
        let cues = ["a", "b", "c", "d"].map { body($0, "region:r") }.joined()
        let still = try Scene(header + "\n" + cues)
        #expect(still.boxes.mapValues { $0[1] } == ["a": 720, "b": 780, "c": 840, "d": 900])
        let scrolling = try Scene(header + "scroll:up\n\n" + cues)
        #expect(scrolling.boxes.mapValues { $0[1] } == ["a": 660, "b": 720, "c": 780, "d": 840])
    }
}
