import ModelTestSupport
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The address of a stream")
struct ControlCharacterTests {
    @Test(
        "with a control character is refused",
        arguments: ["\u{0}", "\u{1}", "\t", "\n", "\r", "\u{1F}", "\u{7F}"])
    func refused(_ character: String) async {
        for text in ["http://h/a\(character)b", "http://h/a?b=\(character)", "http://h/a\(character)"] {
            let error = await failure { _ = try StreamAddress.checked(text) }
            guard case .invalidURL? = error?.code else {
                Issue.record("\(text.debugDescription): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("may have the characters beside the control characters", arguments: [" ", "~", "\u{80}"])
    func taken(_ character: String) async {
        let error = await failure { _ = try StreamAddress.checked("http://h/a\(character)b") }
        let isTaken = error == nil
        #expect(isTaken)
    }
}
