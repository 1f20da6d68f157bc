import MediaContainers
import TestSupport
import Testing

@Suite("Bytes that are no media of HLS")
struct ForeignFormatTests {
    @Test(
        "are named by how they begin",
        arguments: [
            ("\u{89}PNG", ForeignFormat.png), ("GIF89a", .gif), ("%PDF-1.4", .pdf), ("PK\u{3}\u{4}", .zip),
            ("OggS", .ogg), ("fLaC", .flac), ("FLV\u{1}", .flv), ("#!AMR", .amr), ("DKIF", .ivf),
            ("caff", .caf),
            ("\u{0}\u{0}\u{1}\u{BA}", .programStream), ("\u{0}\u{0}\u{0}\u{1}\u{67}", .annexB),
            ("\u{0}\u{0}\u{1}\u{6}", .annexB), ("\u{12}\u{0}\u{A}", .obu), ("\u{1F}\u{8B}\u{8}", .gzip),
            ("\u{1A}\u{45}\u{DF}\u{A3}", .matroska), ("BM\u{1}\u{2}\u{3}\u{4}\u{0}\u{0}\u{0}\u{0}", .bmp),
            ("RIFF\u{1}\u{1}\u{1}\u{1}WAVE", .wave),
        ])
    func named(_ start: String, _ format: ForeignFormat) {
        let bytes = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        #expect(look(bytes + OriginResource.pattern(3000, seed: 3).map { $0 | 0x80 }) == .foreign(format))
    }

    @Test(
        "are told apart as text",
        arguments: [
            ("<!DOCTYPE html><html><body>Log in</body></html>", ForeignFormat.html),
            ("  \n<HTML lang=en>", .html), ("\u{FEFF}<html>", .html), ("<p>Not found</p>", .html),
            (#"{"error": "forbidden"}"#, .json), (#"[{"error": 1}]"#, .json), (#" [ "gone" ]"#, .json),
            ("Too many requests", .text), ("Größe überschritten 日本", .text),
            ("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", .text),
            ("<?xml version=\"1.0\"?><tt xmlns=\"http://www.w3.org/ns/ttml\"/>", .ttml),
            ("[Script Info]\nTitle: x", .text), ("1\n00:00:01,000 --> 00:00:02,000\nHi\n", .text),
            ("#EXTM3U\n#EXTINF:4,\na.ts\n", .text), ("WEBVTTX", .text),
        ])
    func text(_ text: String, _ format: ForeignFormat) {
        #expect(look(Array(text.utf8)) == .foreign(format))
        #expect(look(Array(text.utf8), .subtitles) == .foreign(format))
    }

    @Test("are text in UTF-16, too, of either order")
    func wideText() {
        let units = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n字幕\n".utf16)
        let little =
            [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big = [0xFE, 0xFF] + units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        #expect(look(little, .subtitles) == .foreign(.text))
        #expect(look(big, .subtitles) == .foreign(.text))
        // A mark of two bytes and no letter of ASCII is no text, but bytes that happen to begin so.
        let foreign = [0xFF, 0xFE] + [UInt8](repeating: 0x5B, count: 40)
        #expect(look(foreign, .subtitles) != .foreign(.text))
    }

    @Test("are text though their last character was cut")
    func cutText() {
        #expect(look(Array("Zu viele Anfragen für".utf8.prefix(20))) == .foreign(.text))
    }

    @Test("are known as LOAS frames when two of them follow each other")
    func loas() {
        let frame: [UInt8] = [0x56, 0xE0, 0x20] + OriginResource.pattern(32)
        #expect(look(frame + frame + frame) == .foreign(.loas))
        #expect(look(frame) == .foreign(.loas))
        #expect(look(frame + OriginResource.pattern(40, seed: 8)) == .unrecognized)
    }

    @Test(
        "are WebVTT only with its signature",
        arguments: ["WEBVTT", "WEBVTT\n", "WEBVTT - x", "\u{FEFF}WEBVTT\t"])
    func webVTT(_ text: String) {
        #expect(look(Array(text.utf8), .subtitles) == .media(.webVTT))
    }

    @Test("can carry media, or can't")
    func carriers() {
        let none: Set<ForeignFormat> = [
            .png, .jpeg, .gif, .bmp, .webp, .html, .json, .gzip, .zlib, .zip, .pdf, .text,
        ]
        for format in ForeignFormat.allCases { #expect(format.isMedia == !none.contains(format)) }
    }
}
