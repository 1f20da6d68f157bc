import SidebandSubtitles
import Testing

/// The settings that an override gives the one line of a script.
private func scriptSettings(_ override: String, head: String = "") throws -> CueSettings {
    let script = """
        [Script Info]
        \(head)
        [Events]
        Format: Start, End, Text
        Dialogue: 0:00:01.00,0:00:02.00,\(override)a
        """
    return try #require(try SubtitleFile(reading: Array(script.utf8)).track.cues.first).settings
}

/// The settings that an override gives the one cue of a SubRip file.
private func subRipSettings(_ override: String) throws -> CueSettings {
    let subRip = "1\n00:00:01,000 --> 00:00:02,000\n\(override)a\n"
    return try #require(try SubtitleFile(reading: Array(subRip.utf8)).track.cues.first).settings
}

@Suite("The alignment of ASS")
struct ReadingPlacementTests {
    /// A number of the keypad with the side of the text, and the line if there is no position.
    static let keys: [(Int, CueSettings.TextAlignment, Double?)] = [
        (1, .left, nil), (2, .center, nil), (3, .right, nil), (4, .left, 50), (5, .center, 50),
        (6, .right, 50), (7, .left, 0), (8, .center, 0), (9, .right, 0),
    ]

    @Test("is a key of the numeric keypad: below, in the middle or above", arguments: keys)
    func keypad(number: Int, side: CueSettings.TextAlignment, line: Double?) throws {
        var expected = CueSettings()
        expected.textAlignment = side
        expected.line = line
        if line == 50 { (expected.snapsToLines, expected.lineAlignment) = (false, .center) }
        #expect(try scriptSettings("{\\an\(number)}") == expected)
        #expect(try subRipSettings("{\\an\(number)}") == expected)
    }

    @Test("is the point of the text that stands at a position", arguments: keys)
    func position(number: Int, side: CueSettings.TextAlignment, line: Double?) throws {
        // A picture has 384 × 288 pixels unless the script says otherwise.
        let found = try scriptSettings("{\\an\(number)\\pos(192,72)}")
        #expect(found.position == 50 && found.line == 25 && !found.snapsToLines)
        #expect(found.textAlignment == side)
        let points: [CueSettings.PositionAlignment] = [.lineLeft, .center, .lineRight]
        #expect(found.positionAlignment == points[(number + 2) % 3])
        let edges: [CueSettings.LineAlignment] = [.end, .center, .start]
        #expect(found.lineAlignment == edges[(number - 1) / 3])
    }

    @Test(
        "has other numbers in the old form",
        arguments: zip([1, 2, 3, 5, 6, 7, 9, 10, 11], [1, 2, 3, 7, 8, 9, 4, 5, 6]))
    func oldForm(old: Int, number: Int) throws {
        #expect(try scriptSettings("{\\a\(old)}") == scriptSettings("{\\an\(number)}"))
        #expect(try subRipSettings("{\\a\(old)}") == subRipSettings("{\\an\(number)}"))
    }

    @Test(
        "is that of the style if its number is none", arguments: ["an0", "an10", "a0", "a12", "an", "anx"])
    func noNumber(tag: String) throws {
        #expect(try scriptSettings("{\\\(tag)}") == CueSettings())
        #expect(try subRipSettings("{\\\(tag)}") == CueSettings())
        #expect(try scriptSettings("{\\\(tag)\\an8}").line == 0)
    }

    @Test("is at the beginning of a movement, and at no other numbers")
    func movement() throws {
        #expect(try scriptSettings("{\\move(192,72,0,0)}") == scriptSettings("{\\pos(192,72)}"))
        #expect(try scriptSettings("{\\fad(192,72)}") == CueSettings())
        #expect(try scriptSettings("{\\org(192,72)\\pos(384,288)}").position == 100)
        let endless = try scriptSettings("{\\pos(nan,inf)}")
        #expect(endless.position == 0 && endless.line == 0)
    }

    @Test("counts once: the first one of a line applies")
    func first() throws {
        #expect(try scriptSettings("{\\an8\\an2}") == scriptSettings("{\\an8}"))
        #expect(try scriptSettings("{\\an8}b{\\an2}") == scriptSettings("{\\an8}"))
    }

    @Test("in a style is 1 to 9, or the lower middle for other numbers", arguments: 0...10)
    func style(number: Int) throws {
        let head = "[V4+ Styles]\nFormat: Name, Alignment\nStyle: Default,\(number)"
        let expected = try scriptSettings("{\\an\((1...9).contains(number) ? number : 2)}")
        #expect(try scriptSettings("", head: head) == expected)
    }

    @Test("in a style of the old version has the old numbers")
    func oldStyle() throws {
        let head = "[V4 Styles]\nFormat: Name, Alignment\nStyle: Default,6"
        #expect(try scriptSettings("", head: head) == scriptSettings("{\\an8}"))
    }
}

@Suite("The picture of a script")
struct ReadingPictureTests {
    @Test("has its usual size where the script names none", arguments: ["0", "-5", "x", "nan", "inf", ""])
    func noSize(number: String) throws {
        let head = "PlayResX: \(number)\nPlayResY: \(number)"
        let found = try scriptSettings("{\\pos(192,72)}", head: head)
        #expect(found.position == 50 && found.line == 25)
    }

    @Test("has each of its sides as the script names it")
    func sides() throws {
        let wide = try scriptSettings("{\\pos(192,72)}", head: "PlayResX: 768")
        #expect(wide.position == 25 && wide.line == 25)
        let high = try scriptSettings("{\\pos(192,72)}", head: "PlayResY: 144")
        #expect(high.position == 50 && high.line == 50)
    }

    @Test("is where positions end")
    func outside() throws {
        let found = try scriptSettings("{\\pos(-1,289)}")
        #expect(found.position == 0 && found.line == 100)
        let edge = try scriptSettings("{\\pos(384,288)}")
        #expect(edge.position == 100 && edge.line == 100)
    }
}
