import ASCII
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("are read in either case, with hyphens anywhere")
    func read() {
        #expect(Hexadecimal.bytes("00ff10Ab") == [0, 255, 16, 0xAB])
        #expect(Hexadecimal.bytes("6ba7b810-9dad-11d1") == [0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1])
        #expect(Hexadecimal.bytes("-0-1-") == [1])
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test(
        "are refused when one is missing or is another character",
        arguments: ["0", "0g", "g0", "0x00", "00 11", "é"])
    func refused(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test("are written in small letters, and in capitals behind a percent sign")
    func written() {
        #expect(Hexadecimal.text([0, 0x1F, 0xA0, 255]) == "001fa0ff")
        #expect(Hexadecimal.digits(0x0C) == Array("0c".utf8))
        #expect(Hexadecimal.percentEncoded(0xC3) == Array("%C3".utf8))
        #expect(Hexadecimal.bytes(Hexadecimal.text(0...255)) == Array(0...255))
    }
}
