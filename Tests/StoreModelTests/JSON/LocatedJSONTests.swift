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

    @Test(
        "is refused at the place where it ceases to be JSON",
        arguments: [
            ("", 0, ""), ("nul", 0, ""), (#"{"a" 1}"#, 5, ""), (#"{"a": 01}"#, 6, "/a"), ("[1 2]", 3, ""),
            ("[1] 2", 4, ""), (#"{"a": [tru]}"#, 7, "/a/0"), (#""abc"#, 4, ""), (#"["a", "b"#, 8, "/1"),
            (#"[1, "#, 4, "/1"), ("{", 1, ""),
        ] as [(String, Int, String)])
    func refusedPlace(_ text: String, _ offset: Int, pointer: String) {
        let fault = #expect(throws: JSONFault.self) { try read(text) }
        #expect(fault?.offset == offset && fault?.pointer == pointer)
    }

    @Test("has members only where it is an object, and items only where it is a list")
    func kinds() throws {
        let list = try read(#"["a"]"#)
        #expect(list["a"] == nil && list.members.isEmpty && list.items.count == 1)
        let object = try read(#"{"a": null, "b": 0}"#)
        #expect(object["c"] == nil && object.items.isEmpty && object.string == nil)
        #expect(object.says("b") && !object.says("a") && !object.says("c"))
    }

    @Test("may begin with a byte order mark, and may be nested 65 deep")
    func limits() throws {
        let marked = try LocatedJSON(parsing: [0xEF, 0xBB, 0xBF] + Array("{}".utf8))
        #expect(marked.offset == 3)
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try read(nested(65)).items.count == 1)
        #expect(throws: JSONFault.self) { try read(nested(66)) }
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

    @Test(
        "counts each letter that is missing, superfluous, wrong or swapped, in both directions",
        arguments: [
            ("abcd", "abcd", 0), ("abcd", "abc", 1), ("abcd", "bcd", 1), ("abcd", "acd", 1),
            ("abcd", "abxd", 1), ("abcd", "abdc", 1), ("abcd", "bacd", 1), ("abcd", "badc", 2),
            ("abcd", "ab", 2), ("abcd", "", 4), ("ab", "xy", 2), ("abc", "cba", 2),
        ] as [(String, String, Int)])
    func distances(_ left: String, _ right: String, distance: Int) {
        #expect(NearestName.distance(Array(left.utf8), Array(right.utf8)) == distance)
        #expect(NearestName.distance(Array(right.utf8), Array(left.utf8)) == distance)
    }

    @Test("differs in a third of its letters at most, or in one letter, but not in all that was written")
    func limits() {
        // Six letters, of which two may differ.
        #expect(NearestName.of("abcdxy", among: ["abcdef"]) == "abcdef")
        #expect(NearestName.of("abcxyz", among: ["abcdef"]) == nil)
        // Two letters, of which one may differ.
        #expect(NearestName.of("in", among: ["on"]) == "on" && NearestName.of("xy", among: ["on"]) == nil)
        #expect(NearestName.of("x", among: ["y"]) == nil)
        #expect(NearestName.of("a", among: []) == nil)
    }

    @Test("is the first one of equally similar names")
    func ties() {
        #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
        #expect(NearestName.of("bat", among: ["hat", "cat"]) == "hat")
        #expect(NearestName.of("bats", among: ["hat", "bat"]) == "bat")
    }

    @Test("is looked for when 64 letters were written, and not when there are more")
    func longest() {
        let name = String(repeating: "a", count: 63)
        #expect(NearestName.of(name + "x", among: [name + "b"]) == name + "b")
        #expect(NearestName.of(name + "xa", among: [name + "ba"]) == nil)
    }
}
