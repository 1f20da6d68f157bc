import Testing

@testable import StoreModel

@Suite("The name of an asset")
struct AssetNameTests {
    @Test(
        "has a visible character, no NUL, and 500 characters at most",
        arguments: [
            ("a", true), (" a ", true), ("Der Film (2024)", true),
            (String(repeating: "é", count: 500), true), (String(repeating: "é", count: 501), false),
            ("", false), ("   ", false), ("\t\n", false), ("a\0", false), ("\0", false),
        ] as [(String, Bool)])
    func names(_ text: String, _ isName: Bool) {
        #expect(AssetName.isName(text) == isName)
    }
}

@Suite("A text in one line")
struct PlainLineTests {
    @Test(
        "has no characters that control a terminal or change the direction of the text around it",
        arguments: [
            ("Der Film", "Der Film"), ("a\nb", "a b"), ("a\u{1B}[31m", "a [31m"), ("a\u{2028}b", "a b"),
            ("a\u{2029}b", "a b"), ("a\u{202E}b", "ab"), ("\u{2066}a\u{2069}", "a"), ("a\u{200F}b", "ab"),
            ("Привет é 😀", "Привет é 😀"), ("", ""),
        ] as [(String, String)])
    func lines(_ text: String, _ line: String) {
        #expect(text.plainLine == line)
    }
}

@Suite("A text with values")
struct TextTemplateTests {
    @Test(
        "is a URL with a fixed host when its scheme and its host are written out",
        arguments: [
            ("https://h/", true), ("HTTP://h", true), ("https://h:8443/{content_id}?k={kid}", true),
            ("https://h?{content_id}", true), ("https://h#{kid}", true),
            ("ftp://h/", false), ("h/{kid}", false), ("https:h", false), ("https:///{kid}", false),
            ("https://{host}/", false), ("https://a.{host}/", false), ("{url}", false), ("", false),
        ] as [(String, Bool)])
    func hosts(_ text: String, _ isFixed: Bool) {
        #expect(TextTemplate.hasFixedHost(text) == isFixed)
    }
}
