import TestSupport
import Testing

@testable import MediaContainers

@Suite("Text in UTF-16")
struct WideTextTests {
    @Test(
        "is known by its letters of ASCII, an eighth of it or more, among which delete is none",
        arguments: [("~", true), (" ", true), ("\u{7F}", false), ("\u{80}", false)])
    func letters(second: String, isText: Bool) {
        // Two of sixteen characters.
        let units = Array((String(repeating: "字幕", count: 7) + "a" + second).utf16)
        let bytes =
            [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect((look(bytes, .subtitles) == .foreign(.text)) == isText)
    }
}
