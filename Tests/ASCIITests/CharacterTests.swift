import ASCII
import Testing

/// All bytes for which a test of a character holds.
private func bytes(_ holds: (UInt8) -> Bool) -> [UInt8] { (0...255).filter(holds) }

@Suite("A byte of ASCII")
struct CharacterTests {
    @Test("is classed as digit, letter and hexadecimal digit")
    func classes() {
        let (digits, small, capital) = (Array("0123456789".utf8), Array("abcdef".utf8), Array("ABCDEF".utf8))
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map(\.self)
        #expect(bytes(\.isDigit) == digits)
        #expect(bytes(\.isLetter) == letters + letters.map { $0 + 32 })
        #expect(bytes(\.isHexDigit) == digits + capital + small)
    }

    @Test("has the value of its hexadecimal digit in either case")
    func values() {
        #expect("0123456789abcdef".utf8.map(\.hexValue) == (0..<16).map { UInt8($0) })
        #expect("0123456789ABCDEF".utf8.map(\.hexValue) == (0..<16).map { UInt8($0) })
        #expect("/:@G`g".utf8.allSatisfy { $0.hexValue == nil })
    }

    @Test("is blank as a space or a tab, and white space also as an end of line")
    func spaces() {
        #expect(bytes(\.isBlank) == [9, 32])
        #expect(bytes(\.isWhitespace) == [9, 10, 12, 13, 32])
    }

    @Test("turns capitals into small letters, and leaves all other characters unchanged")
    func lowercase() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = (65...90).contains(byte)
            #expect(byte.lowercasedASCII == (isCapital ? byte + 32 : byte))
        }
    }
}
