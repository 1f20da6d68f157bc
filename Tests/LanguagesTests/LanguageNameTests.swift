import Testing

@testable import Languages

@Suite("The name of a language")
struct LanguageNameTests {
    @Test(
        "is said in English and in itself, with its script and region",
        arguments: [
            ("en", "English", "English"), ("deu", "German", "Deutsch"),
            ("pt-br", "Portuguese (Brazil)", "português (Brasil)"),
            ("zh-Hant-TW", "Chinese (Traditional, Taiwan)", "繁體中文（台灣）"), ("ja", "Japanese", "日本語"),
            ("es-419", "Spanish (Latin America)", "español (Latinoamérica)"),
            ("de-BR", "German (Brazil)", "Deutsch (BR)"), ("ace", "Acehnese", "Acehnese"),
            ("ace-ID", "Acehnese (Indonesia)", "Acehnese (ID)"),
            ("sr-Latn", "Serbian (Latin)", "srpski (latinica)"),
        ])
    func known(_ tag: String, english: String, native: String) {
        #expect(LanguageTag.englishName(tag) == english)
        #expect(LanguageTag.nativeName(tag) == native)
    }

    @Test("does not exist for a text that is not a language", arguments: ["xx", "qaa", ""])
    func unknown(_ tag: String) {
        #expect(LanguageTag.nativeName(tag) == nil && LanguageTag.englishName(tag) == nil)
    }

    @Test(
        "has three letters in MP4 and in ffmpeg",
        arguments: [
            ("de", "deu"), ("pt-BR", "por"), ("deu", "deu"), ("gsw", "gsw"), ("EN", "eng"), ("xx", nil),
            ("", nil),
        ] as [(String, String?)])
    func threeLetters(_ tag: String, code: String?) {
        #expect(LanguageCodes.threeLetter(tag) == code)
    }

    @Test("is known in English for each language of two letters")
    func complete() {
        let lacking = Set(LanguageCodes.twoLetter.values).filter { LanguageTag.englishName($0) == nil }
        #expect(lacking.isEmpty)
    }

    @Test(
        "a tag has parts of one to eight letters or digits, of which the first is two letters or more",
        arguments: [
            ("en", true), ("pt-BR", true), ("zh-Hant-TW", true), ("abcdefgh", true), ("de-1996", true),
            ("az", true),
            ("AZ", true), ("e", false), ("abcdefghi", false), ("e1", false), ("1e", false), ("e9", false),
            ("", false),
            ("en-", false), ("-en", false), ("en_US", false), ("e@", false), ("e[", false), ("e`", false),
            ("e{", false),
            ("en-/", false), ("en-:", false), ("en-09", true),
            ("abcdefgh-abcdefgh-abcdefgh-abcdefgh", true), ("abcdefgh-abcdefgh-abcdefgh-abcdefgh-a", false),
        ])
    func tags(_ text: String, _ isTag: Bool) {
        #expect(LanguageTag.isTag(text) == isTag)
    }
}
