import Testing

@testable import HTTPDaemon

@Suite("An entity tag")
struct EntityTagTests {
    @Test(
        "compares as in the table of RFC 9110 §8.8.3.2",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ])
    func comparison(one: String, other: String, strong: Bool, weak: Bool) throws {
        let (one, other) = (try #require(EntityTag(one)), try #require(EntityTag(other)))
        #expect(one.stronglyMatches(other) == strong)
        #expect(one.weaklyMatches(other) == weak)
    }

    @Test("is printed as it was read", arguments: ["\"\"", "\"a,b\"", "W/\"x\"", "\"\\\"", "\"é\""])
    func roundTrip(text: String) throws { #expect(try #require(EntityTag(text)).fieldValue == text) }

    @Test(
        "that is not valid is refused",
        arguments: [
            "", "a", "\"", "\"a", "a\"", "\"a\"b", "\"a b\"", "w/\"a\"", "W/", "\"a\u{7F}\"", " \"a\"",
        ])
    func invalid(text: String) { #expect(EntityTag(text) == nil) }

    @Test("can't be made from a text with a quote")
    func unmakeable() { #expect(EntityTag(strong: "a\"b") == nil) }

    @Test("is found in a list, commas inside of tags included")
    func list() {
        let tags = ["\"a,b\"", "W/\"c\"", "\"\""].compactMap { EntityTag($0) }
        #expect(EntityTagCondition(" \"a,b\" , W/\"c\",, \"\"") == .tags(tags))
        #expect(EntityTagCondition(" * ") == .any)
    }

    @Test(
        "list that is not valid is refused", arguments: ["", ",", "a", "\"a\" \"b\"", "*,\"a\"", "\"a\",b"])
    func invalidList(text: String) { #expect(EntityTagCondition(text) == nil) }
}
