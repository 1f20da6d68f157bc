import SidebandSubtitles
import Testing

/// The lines of dialogue, in a picture of 1000 × 500 pixels, where a line of text is 29 pixels high.
private func dialogue(_ body: String) throws -> [String] {
    let track = try file("WEBVTT\n\n" + body).track
    let written = text(ASSWriter(picture: PictureSize(width: 1000, height: 500)).bytes(of: track))
    return written.split(separator: "\n").filter { $0.hasPrefix("Dialogue: ") }
        .map { String($0.dropFirst(10)) }
}

@Suite("The place of cues in ASS")
struct WritingPlaceTests {
    @Test("at the usual one is computed if another cue, which began before, has a place of its own")
    func chain() throws {
        let own = "00:01.000 --> 00:03.000 line:-1\na\n\n"
        let usual = "00:02.000 --> 00:05.000\nb\n\n00:04.000 --> 00:06.000\nc\n\n"
        let lines = try dialogue(own + usual + "00:06.000 --> 00:07.000\nd")
        try #require(lines.count == 4)
        #expect(lines[0].hasSuffix("{\\an2\\pos(500,500)}a"))
        #expect(lines[1].hasSuffix("{\\an2\\pos(500,471)}b"))
        // The chain of cues goes on with c, and ends before d.
        #expect(lines[2].hasSuffix("{\\an2\\pos(500,500)}c"))
        #expect(lines[3].hasSuffix("Default,,0,0,0,,d"))
    }

    @Test("of twenty cues at a time is kept free of others, and that of further ones is not")
    func obstacles() throws {
        /// The heights of two cues at the lowest line, after so many others on half of the upper lines.
        func heights(_ others: Int) throws -> [String] {
            let upper = (0..<others).map { number in
                let place = "line:\(number / 2) position:\(number % 2 * 60)%,line-left size:40% align:left"
                return "00:01.000 --> 00:02.000 \(place)\nx\n\n"
            }
            let lower = "00:01.000 --> 00:02.000 line:-1\ny\n\n"
            return try dialogue(upper.joined() + lower + lower).suffix(2)
                .map { String($0.drop { $0 != "{" }) }
        }
        #expect(try heights(18) == ["{\\an2\\pos(500,500)}y", "{\\an2\\pos(500,471)}y"])
        #expect(try heights(19) == ["{\\an2\\pos(500,500)}y", "{\\an2\\pos(500,471)}y"])
        #expect(try heights(20) == ["{\\an2\\pos(500,500)}y", "{\\an2\\pos(500,500)}y"])
    }

    @Test("is free again when a cue has ended, and not before")
    func freed() throws {
        let first = "00:01.000 --> 00:03.000 line:-1\na\n\n"
        let lines = try dialogue(
            first + "00:02.999 --> 00:03.500 line:-1\nb\n\n00:03.000 --> 00:04.000 line:-1\nc")
        #expect(lines.map { $0.contains("\\pos(500,500)") } == [true, false, true])
    }
}

@Suite("Cues of a region in ASS")
struct WritingRegionTests {
    private static let region =
        "REGION\nid:r\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%"

    @Test("move up by as much as the new text is high, which comes from below")
    func height() throws {
        let cues = "00:01.000 --> 00:05.000 region:r\na\n\n00:02.000 --> 00:04.000 region:r\nb\nc"
        let lines = try dialogue("\(Self.region)\nscroll:up\n\n\(cues)")
        let moves = lines.map { line in
            "\(line.split(separator: ",")[1].suffix(5)) \(line.split(separator: "\\")[2])"
        }
        #expect(
            moves == [
                "01.00 pos(300,450)", "02.00 move(300,450,300,392,0,433)", "04.00 pos(300,450)",
                "02.00 move(300,508,300,450,0,433)",
            ])
    }

    @Test("are twenty at a time; further ones are at the usual place")
    func many() throws {
        let cues = (0..<22).map { "00:01.000 --> 00:02.000 region:r\n\($0)\n\n" }.joined()
        let lines = try dialogue("\(Self.region)\n\n\(cues)")
        #expect(lines.count == 22)
        #expect(lines.prefix(20).allSatisfy { $0.contains("\\clip(100,360,500,450)") })
        #expect(lines.dropFirst(20).map { $0.hasSuffix("Default,,0,0,0,,20") } == [true, false])
        #expect(lines.last?.hasSuffix("Default,,0,0,0,,21") == true)
    }

    @Test("move twenty times at most, and then stay until they end")
    func steps() throws {
        func time(_ seconds: Int) -> String { CueTime(seconds: Double(seconds)).description }
        let guests = (1...15).map { "\(time(2 * $0)) --> \(time(2 * $0 + 1)) region:r\nb\n\n" }.joined()
        let long = "\(time(1)) --> \(time(60)) region:r\na\n\n"
        let lines = try dialogue("\(Self.region)\n\n\(long)\(guests)").filter { $0.hasSuffix("}a") }
        #expect(lines.count == 20)
        #expect(lines.first?.hasPrefix("0,0:00:01.00,0:00:02.00,") == true)
        #expect(lines.last?.hasPrefix("0,0:00:20.00,0:01:00.00,") == true)
        #expect(lines.last?.contains("\\pos(300,421)") == true)
    }
}
