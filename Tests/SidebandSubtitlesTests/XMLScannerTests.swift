import Testing

@testable import SidebandSubtitles

@Suite("The scanner of TTML")
struct XMLScannerTests {
    @Test("gives a start and an end for each element, also for an empty one, and nothing before the first")
    func events() {
        var scanner = XMLScanner(Array("<a x='1'><b/>text</a>".utf8))
        var found: [String] = []
        while let event = scanner.next() {
            switch event {
            case .start(let name, let attributes): found.append("<\(name) \(attributes["x"] ?? "")>")
            case .end: found.append("end")
            case .text(let text): found.append(text)
            }
        }
        #expect(found == ["<a 1>", "<b >", "end", "text", "end"])
    }
}
