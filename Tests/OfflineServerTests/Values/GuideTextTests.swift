import Testing

@testable import OfflineServerCommands

@Suite("A page of the manual as text")
struct GuideTextTests {
    @Test(
        "has each row of a table as its first cell and a line of the others; rows without a first cell are left out"
    )
    func table() {
        let page = """
            | name | meaning |
            |---|---|
            | a | one |
            | b | |
            | | two |
            """
        let lines = GuideText().text(of: page).split(separator: "\n").map(String.init)
        #expect(lines == ["  name", "      meaning", "  a", "      one", "  b"])
    }
}
