import Testing

@testable import StoreModel

@Suite("The shape of a JSON value")
struct JSONShapeTests {
    private func fault(_ shape: JSONShape, _ text: String) throws -> JSONFault? {
        shape.fault(in: try LocatedJSON(parsing: Array(text.utf8)))
    }

    /// The words for a value that does not fit.
    private func found(_ shape: JSONShape, _ text: String) throws -> String? {
        guard case .unfit(let found, _, _)? = try fault(shape, text)?.kind else { return nil }
        return found
    }

    @Test("has numbers from the least to the largest, and no infinite ones")
    func numbers() throws {
        // The shape, the texts that fit, and those that do not.
        let cases: [(JSONShape, [String], [String])] = [
            (.number(atLeast: 0), ["0", "0.5", "1e3"], ["-0.5", "-1", "1e999", "true", "null"]),
            (.number(), ["-1e3", "0", "2.5"], ["1e999", "-1e999", #""1""#]),
            (.integer(1...64), ["1", "64", "2.0", "1e1"], ["0", "65", "1.5", "1e999", "true"]),
            (.integer(.min ... .max), ["-9223372036854775808"], ["9223372036854775808"]),
        ]
        for (shape, fitting, others) in cases {
            for text in fitting { #expect(try fault(shape, text) == nil, "\(text)") }
            for text in others { #expect(try fault(shape, text) != nil, "\(text)") }
        }
    }

    @Test("has lists of a least length, names of a list, and maps of one shape")
    func collections() throws {
        let list = JSONShape.list(.flag, atLeast: 2)
        #expect(try fault(list, "[true, false]") == nil)
        #expect(try fault(list, "[true]") != nil)
        #expect(try fault(list, "[true, false, 1]")?.pointer == "/2")
        #expect(try fault(.map(.flag), #"{"a": true, "b": 1}"#)?.pointer == "/b")
        #expect(try fault(.map(.flag), "{}") == nil)
        #expect(try fault(.name(["a", "b"]), #""b""#) == nil)
        #expect(try fault(.name(["a", "b"]), #""c""#) != nil)
    }

    @Test("finds the first lacking member of an object that needs some")
    func required() throws {
        let members: [(name: String, shape: JSONShape)] = [("a", .flag), ("b", .flag), ("c", .flag)]
        let shape = JSONShape.object(members, required: ["a", "b"])
        #expect(try fault(shape, #"{"b": true, "a": true}"#) == nil)
        #expect(try fault(shape, #"{"a": true, "c": true}"#)?.kind == .missing("b"))
        #expect(try fault(shape, #"{"b": true}"#)?.kind == .missing("a"))
        #expect(try fault(shape, "{}")?.kind == .missing("a"))
    }

    @Test("of several kinds finds the fault inside a value of its own kind, else the value itself")
    func choices() throws {
        let shape = JSONShape.object([("a", .flag), ("b", .flag)], required: ["b"]).orNull
        #expect(try fault(shape, "null") == nil)
        #expect(try fault(shape, #"{"b": true}"#) == nil)
        #expect(try fault(shape, #"{"a": 1, "b": true}"#)?.pointer == "/a")
        let missing = try fault(shape, #"{"a": true}"#)
        #expect(missing?.kind == .missing("b") && missing?.pointer == "")
        let other = try fault(shape, "5")
        #expect(other?.kind == .unfit(found: "5", expected: "an object", meaning: nil))
        let items = JSONShape.either([.flag, .list(.flag)])
        #expect(try fault(items, "[true, 1]")?.pointer == "/1")
    }

    @Test("shows a text in a fault only where no text could be a secret, and only a short one")
    func secrets() throws {
        let check = JSONShape.text("a time") { _ in false }
        let open: [JSONShape] = [
            .flag, .integer(0...9), .number(), .name(["a"]), .null, .either([.flag, .number()]),
            .either([.either([.flag, .null]), .name(["a"])]),
        ]
        for shape in open { #expect(try found(shape, #""pass""#) == #""pass""#, "\(shape.expected)") }
        let closed: [JSONShape] = [
            check, .list(.flag), .object([]), .map(.flag), .either([.flag, check]),
            .either([.flag, .list(.flag)]), .either([.number(), .map(.flag)]),
        ]
        for shape in closed { #expect(try found(shape, #""pass""#) == "this text", "\(shape.expected)") }
        let longest = String(repeating: "x", count: 40)
        #expect(try found(.flag, "\"\(longest)\"") == "\"\(longest)\"")
        #expect(try found(.flag, "\"\(longest)x\"") == "this text")
    }

    @Test("names a value of another kind in a fault")
    func values() throws {
        let check = JSONShape.text("a time") { _ in false }
        let cases: [(String, String)] = [
            ("null", "null"), ("true", "true"), ("false", "false"), ("1.50", "1.50"), ("[1]", "this list"),
            (#"{"a": 1}"#, "an object"),
        ]
        for (text, words) in cases { #expect(try found(check, text) == words) }
    }
}

@Suite("The words for the values of a JSON shape")
struct JSONShapeWordTests {
    @Test("tell the kind, the limits and the names")
    func words() {
        let cases: [(JSONShape, String)] = [
            (.null, "null"), (.flag, "true or false"), (.text, "a text"),
            (.integer(.min ... .max), "a whole number"), (.integer(1 ... .max), "a whole number above 0"),
            (.integer(0 ... .max), "a whole number, 0 or more"),
            (.integer(1...64), "a whole number from 1 to 64"),
            (.number(), "a number"), (.number(atLeast: 0), "a number, 0 or more"),
            (.name(["a"]), #""a""#), (.name(["a", "b"]), #"one of "a", "b""#),
            (.list(.text), "a list of texts"), (.list(.flag), "a list"),
            (.list(.object([]), atLeast: 1), "a list of objects that is not empty"),
            (.object([]), "an object"), (.map(.flag), "an object"),
        ]
        for (shape, words) in cases { #expect(shape.expected == words) }
    }

    @Test("of a choice name each thing once, all names together, and null not at all")
    func choices() {
        let shape = JSONShape.either([
            .flag, .name(["a", "b"]), .text, .flag, .null, .either([.name(["b", "c"]), .text]),
        ])
        #expect(shape.expected == #"one of "a", "b", "c", or true or false, or a text"#)
        #expect(JSONShape.flag.orNull.expected == "true or false")
    }
}

@Suite("A fault in config.json")
struct SettingsFaultTests {
    private func fault(_ text: String) -> JSONFault? { SettingsShape.fault(in: Array(text.utf8)) }

    @Test("has the place of the member that is wrong, unknown or missing")
    func places() {
        let size = fault(#"{"storage": {"quota": true}}"#)
        #expect(size?.pointer == "/storage/quota" && size?.offset == 22)
        let unknown = fault(#"{"storage": {"qouta": 1}}"#)
        let inStorage = JSONFault.Kind.unknown("qouta", within: "storage", known: ["quota", "evict"])
        #expect(unknown?.kind == inStorage && unknown?.offset == 13 && unknown?.suggestion == "quota")
        let missing = fault(#"{"media": {"url": "s3://b"}}"#)
        #expect(missing?.kind == .missing("endpoint") && missing?.pointer == "/media")
        #expect(missing?.offset == 10)
        let hook = fault(#"{"hooks": [{"onn": []}]}"#)
        let inHooks = JSONFault.Kind.unknown("onn", within: "hooks", known: ["on", "command", "url"])
        #expect(hook?.kind == inHooks && hook?.pointer == "/hooks/0/onn")
        #expect(fault(#"{"media": {"url": "s3://b", "endpoint": "https://s"}}"#) == nil)
    }

    @Test("is a schedule that has no times of day")
    func schedule() {
        for text in ["22:00-06:00", "22:00-06:00,12:00-13:30", "always"] {
            #expect(fault(#"{"schedule": "\#(text)"}"#) == nil, "\(text)")
        }
        for text in ["", "25:00-26:00", "never"] {
            #expect(fault(#"{"schedule": "\#(text)"}"#)?.pointer == "/schedule", "\(text)")
        }
    }

    @Test("is a hook on an occasion that there is not, or without exactly one way to call it")
    func hooks() {
        func hook(_ members: String) -> JSONFault? { fault(#"{"hooks": [{\#(members)}]}"#) }
        let url = #""url": "https://h/""#
        for occasion in AssetState.allCases.map(\.rawValue) + ["added", "removed", "changed", "health"] {
            #expect(hook(#""on": ["\#(occasion)"], \#(url)"#) == nil, "\(occasion)")
        }
        // A hook names the states themselves.
        for occasion in ["state", "done", ""] {
            #expect(hook(#""on": ["\#(occasion)"], \#(url)"#)?.pointer == "/hooks/0/on/0", "\(occasion)")
        }
        #expect(hook(url) == nil && hook(#""command": ["c"]"#) == nil)
        #expect(hook("")?.pointer == "/hooks/0")
        #expect(hook(#"\#(url), "command": ["c"]"#)?.pointer == "/hooks/0")
        #expect(hook(#"\#(url), "command": null"#) == nil)
    }
}

@Suite("The sentence of a fault in JSON")
struct JSONFaultSentenceTests {
    private func sentence(_ kind: JSONFault.Kind, _ path: [String] = []) -> String {
        JSONFault(kind, path: path).sentence()
    }

    @Test("names the member, with its list where it is a number, and no member for the whole document")
    func members() {
        let unfit = JSONFault.Kind.unfit(found: "5", expected: "an object", meaning: nil)
        #expect(sentence(unfit) == "5 is no value for this, which takes an object")
        #expect(sentence(unfit, ["a", "b"]) == #"5 is no value for "b", which takes an object"#)
        #expect(sentence(unfit, ["a", "0"]) == #"5 is no value for "a/0", which takes an object"#)
        #expect(sentence(.missing("url")) == #"the member "url" is missing; add it"#)
        #expect(sentence(.missing("url"), ["a"]) == #"the member "url" is missing in "a"; add it"#)
    }

    @Test("has a suggestion for an unknown member only, and else the known members if they are few")
    func unknown() {
        #expect(JSONFault(.missing("a"), path: []).suggestion == nil)
        #expect(JSONFault(.repeated("a"), path: ["a"]).suggestion == nil)
        let near = JSONFault(.unknown("qouta", within: nil, known: ["quota"]), path: ["qouta"])
        #expect(near.suggestion == "quota")
        #expect(near.sentence() == #"unknown member "qouta"; did you mean "quota"?"#)
        func advice(_ count: Int) -> String {
            let known = (0..<count).map { "name\($0)" }
            return sentence(.unknown("zzzzzzzz", within: "a", known: known), ["a", "zzzzzzzz"])
        }
        #expect(advice(0) == #"unknown member "zzzzzzzz" in "a"; no member can be here"#)
        #expect(advice(16).hasSuffix(#", "name15""#) && advice(16).contains(#"; known are "name0", "#))
        #expect(advice(17) == #"unknown member "zzzzzzzz" in "a"; leave it out"#)
    }

    @Test("has the first 60 letters of a longer name")
    func longNames() {
        let name = String(repeating: "z", count: 60)
        #expect(sentence(.unknown(name, within: nil, known: [])).contains("\"\(name)\""))
        #expect(sentence(.unknown(name + "z", within: nil, known: [])).contains("\"\(name)…\""))
    }
}
