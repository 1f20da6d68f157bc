import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The line at the bottom of a terminal")
struct BottomLineTests {
    private static let erase = "\r\u{1B}[K"

    @Test("is erased before other lines are written, and drawn again below")
    func above() {
        var line = BottomLine()
        #expect(line.above("a message\n") == "a message\n")
        #expect(line.draw("50%") == Self.erase + "50%")
        #expect(line.above("a message\n") == Self.erase + "a message\n50%")
    }

    @Test("it is taken away once, and nothing is erased that is not there")
    func clearing() {
        var line = BottomLine()
        #expect(line.clear().isEmpty)
        _ = line.draw("50%")
        #expect(line.clear() == Self.erase)
        #expect(line.clear().isEmpty)
        #expect(line.above("a message\n") == "a message\n")
    }
}
