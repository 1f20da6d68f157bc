import ModelTestSupport
import Testing

@testable import StoreModel

@Suite("A JSON document with places")
struct LocatedJSONTests {
    private func read(_ text: String) throws -> LocatedJSON { try LocatedJSON(parsing: Array(text.utf8)) }

    @Test("has all that is in the text, with the position of each value and each name")
    func places() throws {
        let document = try read(#" {"a": [1, -2.5e3, true], "b\u00e9": {"c": null}, "d": "\ud83d\ude00\n"} "#)
        #expect(document.offset == 1)
        #expect(document.members.map(\.name) == ["a", "bé", "d"])
        #expect(document.members.map(\.offset) == [2, 26, 50])
        #expect(document["a"]?.items.map(\.offset) == [8, 11, 19])
        #expect(document["bé"]?["c"]?.isNull == true)
        #expect(document["d"]?.string == "😀\n")
    }

    @Test(
        "is refused if the text is not JSON",
        arguments: [
            "", "{", "[1,]", #"{"a" 1}"#, "{a: 1}", "01", "1.", "nul", "[1] 2", #""\x""#, #""\ud83d""#,
            "\"a\nb\"", #""\u12""#, "tru", "+1", "{\"a\": 1,}",
        ])
    func refused(_ text: String) {
        #expect(throws: JSONFault.self) { try read(text) }
    }

    @Test("is refused where a member is there twice, and where it is nested too deep")
    func doubtful() throws {
        let fault = #expect(throws: JSONFault.self) { try read(#"{"a": {"b": 1, "b": 2}}"#) }
        #expect(fault?.kind == .repeated("b") && fault?.pointer == "/a/b" && fault?.offset == 15)
        #expect(throws: JSONFault.self) {
            try read(String(repeating: "[", count: 90) + String(repeating: "]", count: 90))
        }
    }

    @Test("names the line of a place")
    func lines() {
        let bytes = Array("{\n  \"a\": 1,\n  \"b\": 2\n}".utf8)
        #expect(LocatedJSON.line(of: 0, in: bytes) == 1)
        #expect(LocatedJSON.line(of: 14, in: bytes) == 3)
    }

    @Test("writes a place as a JSON Pointer with its escapes")
    func pointers() {
        #expect(JSONFault(.repeated("x"), path: ["a/b", "0", "c~d"]).pointer == "/a~1b/0/c~0d")
        #expect(JSONFault(.repeated("x"), path: []).pointer.isEmpty)
    }
}

@Suite("The name that was meant")
struct NearestNameTests {
    private static let known = [
        "max_bitrate", "min_bitrate", "url", "quota", "audio", "subtitles", "storage",
    ]

    @Test(
        "is the nearest one, if any is near",
        arguments: [
            ("max_bitrat", "max_bitrate"), ("qouta", "quota"), ("storag", "storage"),
            ("maxBitrate", "max_bitrate"),
            ("subtitle", "subtitles"), ("auido", "audio"), ("urls", "url"), ("nonsense", nil), ("x", nil),
            ("", nil),
        ] as [(String, String?)])
    func near(_ name: String, _ meant: String?) {
        #expect(NearestName.of(name, among: Self.known) == meant)
    }

    @Test("counts two swapped letters as one mistake")
    func exchange() {
        #expect(NearestName.distance(Array("ab".utf8), Array("ba".utf8)) == 1)
        #expect(NearestName.distance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
        #expect(NearestName.distance([], Array("abc".utf8)) == 3)
    }
}
