import HLSPlaylist
import Testing

@Suite("An attribute list")
struct AttributeListTests {
    @Test("keeps names, values and their order")
    func verbatim() throws {
        let text = #"BANDWIDTH=1280000,CODECS="a,b=c",X-1.a_B=0xFF,RESOLUTION=640x360"#
        let list = try AttributeList(parsing: text)
        #expect(list.verbatim == text)
        #expect(list.pairs.map(\.name) == ["BANDWIDTH", "CODECS", "X-1.a_B", "RESOLUTION"])
        #expect(list["CODECS"] == "a,b=c" && list.quoted("CODECS") == "a,b=c" && list.plain("CODECS") == nil)
        #expect(list.integer("BANDWIDTH") == 1_280_000)
        #expect(list.resolution("RESOLUTION") == Resolution(width: 640, height: 360))
        #expect(list["MISSING"] == nil)
    }

    @Test("may have blanks around commas and equals signs, and empty places")
    func blanks() throws {
        let list = try AttributeList(parsing: #" A = 1 ,, B="x" , C =y z ,"#)
        #expect(list.verbatim == #"A=1,B="x",C=y z"#)
    }

    @Test("gives the first of two values")
    func twice() throws {
        #expect(try AttributeList(parsing: "A=1,A=2")["A"] == "1")
    }

    @Test(
        "without its form is refused", arguments: ["A", "A=\"x", "=1", "A=\"x\"y", "A B=1", "\"A\"=1", "é=1"])
    func refused(text: String) {
        #expect(throws: PlaylistError.self) { try AttributeList(parsing: text) }
    }

    @Test("reads numbers as the RFC writes them, and nothing else as a number")
    func numbers() throws {
        let list = try AttributeList(
            parsing: "A=-1.5,B=1e3,C=0x10,D=12345678901234567890,E=1.25,F=.5,G=,H=+1")
        #expect(list.decimal("A") == -1.5 && list.decimal("E") == 1.25 && list.decimal("F") == 0.5)
        #expect(list.decimal("B") == nil && list.decimal("C") == nil && list.decimal("H") == nil)
        #expect(list.decimal("D") == 12_345_678_901_234_567_168)
        #expect(list.integer("D") == nil && list.integer("G") == nil && list.integer("A") == nil)
        #expect(list.integer("E") == 1)
        #expect(list.resolution("E") == nil)
    }

    @Test("takes over the attributes of another list, and tells whether that changed it")
    func merging() throws {
        var merger = AttributeMerger()
        let lists = ["ID=\"a\",N=1,N=2,M=3", "N=1,N=2,M=3", "M=4,O=5"]
        let news = try lists.map { merger.add(try AttributeList(parsing: $0)) }
        #expect(news == [true, false, true])
        #expect(merger.list.verbatim == "ID=\"a\",N=2,M=4,O=5")
    }

    @Test("is edited in place, without letting a value break out")
    func editing() throws {
        let list = try AttributeList(parsing: #"URI="a",GROUP-ID="g",N=1"#)
        let edited = list.setting("URI", quoted: "b\"\r\n#EXT").setting("M", plain: "2,\"3").removing(
            "GROUP-ID", "N")
        #expect(edited.verbatim == "URI=\"b#EXT\",M=23")
        #expect(edited.setting("M", plain: " 4 ").verbatim == "URI=\"b#EXT\",M=4")
        let twice = try AttributeList(parsing: "A=1,B=2,A=3")
        #expect(twice.setting("A", plain: "4").verbatim == "A=4,B=2")
    }

    @Test("may have a value of nothing, with and without blanks before the comma")
    func empty() throws {
        for text in ["A=,B=1", "A= ,B=1", "A=\t , B=1"] {
            let list = try AttributeList(parsing: text)
            #expect(list.pairs.map(\.name) == ["A", "B"])
            #expect(list["A"] == "" && list["B"] == "1")
        }
    }

    @Test("reports a change when a known value changes")
    func changed() throws {
        var merger = AttributeMerger()
        #expect(merger.add(try AttributeList(parsing: "A=1,B=2")))
        #expect(!merger.add(try AttributeList(parsing: "B=2,A=1")))
        #expect(merger.add(try AttributeList(parsing: "A=3")))
        #expect(merger.list["A"] == "3" && merger.list["B"] == "2")
    }

    @Test("rounds a number of more than 15 digits correctly, and refuses other texts")
    func longNumbers() throws {
        let list = try AttributeList(
            parsing:
                "A=1234567890123456.5,B=1234567890123456e3,C=-1234567890123456,D=123456789012345,E=0.1234567890123456"
        )
        #expect(list.decimal("A") == 1_234_567_890_123_456.5 && list.decimal("B") == nil)
        #expect(list.decimal("C") == -1_234_567_890_123_456 && list.decimal("D") == 123_456_789_012_345)
        #expect(list.decimal("E") == 0.1234567890123456)
        let endless = String(repeating: "9", count: 400)
        let others = try AttributeList(parsing: "A=\(endless),B=\(endless).5,C=1234567890123456.7.8")
        #expect(others.decimal("A") == nil && others.decimal("B") == nil && others.decimal("C") == nil)
    }

    @Test("has values that are written without the blanks around them")
    func padding() throws {
        let list = try AttributeList(parsing: "A=1")
        for text in [" x", "x ", " x ", "\tx\t", "x"] {
            #expect(list.setting("A", plain: text).verbatim == "A=x")
        }
        #expect(list.setting("A", plain: "  ").verbatim == "A=")
        #expect(list.setting("A", plain: "x y").verbatim == "A=x y")
    }
}
