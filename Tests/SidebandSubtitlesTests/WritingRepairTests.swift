import Testing

@testable import SidebandSubtitles

@Suite("A text that WebVTT cannot hold")
struct WritingRepairTests {
    @Test(
        "is written with as few changes as possible",
        arguments: [
            ("<i>a</i>\n\n<b>b</b>", "<i>a</i>\n<b>b</b>"),
            ("a -> b - > c -- > d\n", "a -> b - > c -- > d"), ("\n\n-->", "--&gt;"),
            ("a--->b", "a---&gt;b"), ("-->>", "--&gt;>"), ("--\n>\n\n", "--\n>"), (">\n\n->", ">\n->"),
            ("\r\na\r\n\r\nb\r", "a\nb"), ("a\n", "a"), ("\na", "a"), ("a\nb", "a\nb"), ("a\n\n", "a"),
        ])
    func texts(source: String, expected: String) throws {
        let bytes = WebVTTWriter().bytes(of: SubtitleTrack(cues: [cue(1, 2, source), cue(3, 4, "end")]))
        let times = ["00:00:01.000 --> 00:00:02.000", "00:00:03.000 --> 00:00:04.000"]
        #expect(text(bytes) == "WEBVTT\n\n\(times[0])\n\(expected)\n\n\(times[1])\nend\n\n")
        #expect(try WebVTTFile(parsing: bytes).track.cues.map(\.text) == [expected, "end"])
    }

    @Test(
        "may be an identifier that begins a piece of the output, before which there is nothing",
        arguments: [(">", ">"), ("->", "->"), ("-->", "--&gt;")])
    func identifiers(source: String, expected: String) {
        var named = cue(1, 2, "x")
        named.identifier = source + "\0"
        var bytes: [UInt8] = []
        WebVTTWriter.append(named, to: &bytes)
        #expect(text(bytes) == "\(expected)\u{FFFD}\n00:00:01.000 --> 00:00:02.000\nx\n\n")
    }

    @Test("may be a header line or a style sheet")
    func definitions() {
        let writer = WebVTTWriter(headerLines: ["a\n\nb", "c-->d"])
        let written = text(writer.bytes(of: SubtitleTrack(styles: ["::cue(a > b) {}\n\n::cue(b) {}"])))
        #expect(written == "WEBVTT\na\nb\nc--&gt;d\n\nSTYLE\n::cue(a > b) {}\n::cue(b) {}\n\n")
    }
}
