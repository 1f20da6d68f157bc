import Testing

@testable import HTTPDaemon

/// RFC 9110, sections 8.8.3 and 13.1.1.
@Suite("The text of an entity tag")
struct EntityTagCharacterTests {
    @Test(
        "may have all visible characters but the quote, and all bytes above ASCII",
        arguments: ["!", "#", "!#", "$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", "\u{80}", "\u{FF}", ""])
    func permitted(text: String) {
        #expect(EntityTag(strong: text)?.fieldValue == "\"\(text)\"")
        #expect(EntityTag("\"\(text)\"")?.opaque == text)
        #expect(EntityTag("W/\"\(text)\"")?.opaque == text)
    }

    @Test(
        "has no quote, no blank and no control character",
        arguments: ["\"", " ", "\t", "\u{0}", "\u{1F}", "\u{7F}"])
    func refused(text: String) {
        #expect(EntityTag(strong: text) == nil)
        #expect(EntityTag("\"\(text)\"") == nil)
        #expect(EntityTagCondition("\"\(text)\"") == nil)
    }

    @Test("is separated from the next by a comma, with blanks and tabs around it or none")
    func separated() {
        let tags = ["\"#\"", "\"!\""].compactMap { EntityTag($0) }
        for list in ["\"#\",\"!\"", "\"#\"\t,\t\"!\"", "\t\"#\" ,,\"!\",\t"] {
            #expect(EntityTagCondition(list) == .tags(tags), "\(list)")
        }
        #expect(EntityTagCondition("\"#\"\"!\"") == nil)
        #expect(EntityTagCondition("\t*\t") == .any)
        #expect(EntityTagCondition("**") == nil)
    }
}
