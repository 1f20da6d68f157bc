import Testing

@testable import ASCII

@Suite("JSON text")
struct JSONOutputTests {
    @Test("has a comma before each value that follows another one, in objects and arrays")
    func commas() {
        var output = JSONOutput()
        output.open("{")
        output.member("a", "x")
        output.array("b", [true, false]) { $1.value($0) }
        output.name("c")
        output.open("[")
        output.open("{")
        output.close("}")
        output.null()
        output.close("]")
        output.name(escaping: "d\"")
        output.value(literal: "1.5")
        output.close("}")
        #expect(text(output) == #"{"a":"x","b":[true,false],"c":[{},null],"d\"":1.5}"#)
    }

    @Test("escapes quotes, backslashes and control characters, and nothing else")
    func escapes() {
        var output = JSONOutput()
        output.value("\"\\/\n\t\u{1F}\u{7F} ü🎬")
        #expect(text(output) == #""\"\\/\n\u0009\u001f\u007f ü🎬""#)
    }

    @Test(
        "escapes a character also if it is the only one to be escaped",
        arguments: [
            ("a\"", #"a\""#), ("a\\", #"a\\"#), ("a\u{1F}", #"a\u001f"#), ("a\u{7F}", #"a\u007f"#),
            ("a\u{7E}", "a\u{7E}"), ("a ", "a "),
        ])
    func only(text: String, escaped: String) {
        var output = JSONOutput()
        output.value(text)
        #expect(self.text(output) == "\"\(escaped)\"")
    }

    @Test("for people has each value on its own line, and brackets with nothing between them together")
    func lines() {
        var output = JSONOutput(hasLines: true)
        output.open("{")
        output.member("a", "x")
        output.name("b")
        output.open("[")
        output.value(true)
        output.open("[")
        output.close("]")
        output.close("]")
        output.close("}")
        #expect(text(output) == "{\n  \"a\": \"x\",\n  \"b\": [\n    true,\n    []\n  ]\n}")
    }

    @Test("takes members that were written before")
    func members() {
        var first = JSONOutput()
        first.open("{")
        first.member("a", "x")
        let start = first.bytes.count
        first.member("b", "y")
        var output = JSONOutput()
        output.open("{")
        output.member("a", "z")
        output.members(first.bytes[start...])
        output.member("c", "w")
        output.close("}")
        #expect(text(output) == #"{"a":"z","b":"y","c":"w"}"#)
    }

    private func text(_ output: JSONOutput) -> String { String(decoding: output.bytes, as: UTF8.self) }
}
