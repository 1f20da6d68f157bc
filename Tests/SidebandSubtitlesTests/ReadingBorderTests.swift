import Testing

@testable import SidebandSubtitles

@Suite("The beginning and end of a SubRip file")
struct ReadingSubRipTests {
    private func texts(_ text: String) throws -> [String] {
        let found = try SubtitleFile(reading: Array(text.utf8))
        #expect(found.format == .srt)
        return found.track.cues.map(\.text)
    }

    @Test("may be a text of numbers, which is not the number of a further cue")
    func numbers() throws {
        let first = "1\n00:00:01,000 --> 00:00:02,000\n42\n"
        #expect(try texts(first) == ["42"])
        #expect(try texts(first + "\n2\n00:00:03,000 --> 00:00:04,000\na\n7\n") == ["42", "a\n7"])
    }

    @Test("may be a line in brackets that no script begins with")
    func brackets() throws {
        for line in ["[note]", "[v5]", "[script]"] {
            #expect(try texts("\(line)\n1\n00:00:01,000 --> 00:00:02,000\na\n") == ["a"])
        }
    }

    @Test("are no times of one number or of four", arguments: ["1 --> 2", "0:0:0:1,0 --> 0:0:0:2,0"])
    func times(line: String) {
        #expect(throws: WebVTTError(.unknownFormat)) {
            try SubtitleFile(reading: Array("\(line)\na\n".utf8))
        }
    }

    @Test("may be half a character of UTF-16, which is left out")
    func halfCharacter() throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\na"
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { byte -> [UInt8] in [byte, 0] }
        for end in [[], [0x62]] as [[UInt8]] {
            let found = try SubtitleFile(reading: bytes + end)
            #expect(found.encoding == .utf16)
            #expect(found.track.cues.map(\.text) == ["a"])
        }
    }
}

@Suite("Looks of text in other formats")
struct ReadingLookTests {
    /// The text of the one line of a script.
    private func scriptText(_ text: String) throws -> String? {
        let script = "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,\(text)\n"
        return try SubtitleFile(reading: Array(script.utf8)).track.cues.first?.text
    }

    @Test("are bold in a script by 1 and by weights of more than 400")
    func weights() throws {
        #expect(try scriptText("{\\b400}a{\\b401}b{\\b2}c{\\b1}d{\\b0}e") == "a<b>b</b>c<b>d</b>e")
    }

    @Test("are drawings in a script by numbers of more than 0")
    func drawings() throws {
        #expect(try scriptText("a{\\p4}m 0 0\\Nl 1 1{\\p0}b{\\p2}m 0 0{\\p}c") == "abc")
    }

    @Test("have rules for a thousand colors of their own")
    func colors() {
        func count(_ colors: Int) -> Int? {
            let cues = (0..<colors).map { cue(0, 1, "<c.rgb-\(100_000 + $0)>x</c>") }
            return ClassColor.styleSheet(for: cues)?.split(separator: "\n").count
        }
        #expect(count(0) == nil)
        #expect(count(999) == 999)
        #expect(count(1000) == 1000)
        #expect(count(1001) == 1000)
    }
}
