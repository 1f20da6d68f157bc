import Foundation
import Testing

@testable import APIDocuments

@Suite("JSON")
struct JSONValueTests {
    @Test("members keep their order, names are escaped like values")
    func objects() {
        let value: JSONValue = ["b": 1, "a": [true, nil, "x"], "c\"": [:]]
        #expect(value.text == #"{"b":1,"a":[true,null,"x"],"c\"":{}}"#)
    }

    @Test("every character survives a reader")
    func strings() throws {
        let all = (0..<0x80).compactMap { Unicode.Scalar($0) } + ["é", "日", "\u{2028}", "🎬", "\u{FEFF}"]
        for scalar in all {
            let text = "a\(Character(scalar))b"
            let read = try JSONDecoder().decode(
                [String].self, from: Data(JSONValue.array([.string(text)]).bytes))
            #expect(read == [text])
        }
    }

    @Test("quotes, backslashes and controls are escaped, everything else is plain UTF-8")
    func escapes() {
        #expect(JSONValue.string("\"\\/\n\t\u{1}\u{7F}ü").text == #""\"\\/\n\u0009\u0001\u007fü""#)
    }

    @Test("numbers that JSON can't express become null")
    func numbers() {
        #expect(JSONValue(Double.nan).text == "null")
        #expect(JSONValue(-Double.infinity).text == "null")
        #expect(JSONValue(nil as Double?).text == "null")
        #expect(JSONValue(6.0).text == "6")
        #expect(JSONValue(-0.0).text == "0")
        #expect(JSONValue(0.1 + 0.2 as Double?).text == "0.3")
        #expect(JSONValue(4.0170561 as Double?).text == "4.017056")
        #expect(JSONValue(Int64.max).text == "9223372036854775807")
        #expect(JSONValue(nil as Int?).text == "null")
        #expect(JSONValue(nil as String?).text == "null")
    }

    @Test(
        "numbers of any size are read back as they are",
        arguments: [1e15, 1e300, -2.5e-5, 123_456.789, 9.5e12])
    func readBack(_ number: Double) throws {
        let read = try JSONDecoder().decode(
            [Double].self, from: Data(JSONValue.array([.number(number)]).bytes))
        #expect(read == [number])
    }

    @Test("the form for people says the same over several lines")
    func pretty() {
        let value: JSONValue = ["a": [1, 2], "b": [], "c": ["d": nil]]
        #expect(
            value.pretty == """
                {
                  "a": [
                    1,
                    2
                  ],
                  "b": [],
                  "c": {
                    "d": null
                  }
                }
                """)
    }
}
