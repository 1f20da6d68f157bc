import Testing

@testable import Languages

/// How a user's language finds a stream's.
struct LanguageRangeTests {
    @Test(
        "a range finds exact tags first, then longer ones, then shorter ones",
        arguments: [
            ("en", ["en-GB", "en"], [1]), ("en", ["en-GB", "de", "en-US"], [0, 2]),
            ("en-GB", ["en", "en-US"], [0]),
            ("zh-Hans-CN", ["zh", "zh-Hans"], [1]), ("pt-BR", ["pt-PT"], []), ("e", ["en"], []),
            ("EN_gb", ["en-GB"], [0]), ("eng", ["en"], [0]), ("en", ["eng"], [0]), ("ger", ["deu"], [0]),
            ("ta", ["tam"], [0]), ("eu", ["baq", "eus-ES"], [0]), ("nn", ["nno"], [0]), ("gsw", ["gsw"], [0]),
            ("chi-Hant", ["zh-Hant"], [0]), ("nob", ["nb"], [0]), ("", ["en"], []), ("xx", [], []),
            ("*", ["ja", "de"], [0, 1]), ("en-*-GB", ["de", "en-GB"], [1]), ("*-GB", ["en-GB"], []),
        ])
    func matches(_ range: String, _ tags: [String], _ expected: [Int]) {
        #expect(LanguageRange.matches(range, in: tags) == expected)
    }

    @Test("all languages of ISO 639-1 have their codes of three letters, twenty of them two")
    func codes() {
        let codes = LanguageCodes.twoLetter
        #expect(codes.count == 204 && Set(codes.values).count == 184)
        #expect(codes.allSatisfy { $0.key.utf8.count == 3 && $0.value.utf8.count == 2 })
        for (short, long) in [("bo", ["bod", "tib"]), ("mi", ["mri", "mao"]), ("zu", ["zul"])] {
            #expect(long.allSatisfy { codes[$0] == short })
        }
    }

    @Test("a rendition without a language is found by no range")
    func untagged() {
        #expect(LanguageRange.matches("en", in: [nil, "en", nil]) == [1])
        #expect(LanguageRange.matches("en", in: [nil]).isEmpty)
    }
}
