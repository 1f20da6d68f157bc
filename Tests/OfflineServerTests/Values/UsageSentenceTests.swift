import Testing

@testable import OfflineServerCommands

@Suite("The sentence about wrong usage")
struct UsageSentenceTests {
    private func sentence(_ text: String) -> String {
        CommandFailure(usage: text, status: CommandFailure.usage).message ?? ""
    }

    @Test(
        "begins with a small letter, unless it begins with an abbreviation, and has no full stop",
        arguments: [
            ("Name at least one URL.", "name at least one URL"), ("TTML is no picture", "TTML is no picture"),
            ("--limit must be above 0.", "--limit must be above 0"), ("x is unknown", "x is unknown"),
            ("One line\n  and another.", "one line and another"),
        ])
    func form(_ text: String, _ clause: String) {
        let sentence = sentence(text)
        #expect(sentence.hasPrefix("\(clause); `offline-server "), "\(sentence)")
        #expect(sentence.hasSuffix("--help` shows what it takes"), "\(sentence)")
    }

    @Test("ends with the question what was meant, and names no help then")
    func question() {
        #expect(sentence("Unknown 'a'. Did you mean 'b'?") == "unknown 'a'; did you mean 'b'?")
    }
}
