import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A table")
struct TableTests {
    @Test("has its columns below each other, whatever script stands in them")
    func wide() {
        var table = Table("NAME", "GROUP")
        for name in ["日本語", "한국어", "Français", "العربية", "e\u{301}te\u{301}"] { table.add(name, "subs") }
        #expect(
            table.lines == [
                "NAME      GROUP", "日本語    subs", "한국어    subs", "Français  subs", "العربية   subs",
                "e\u{301}te\u{301}       subs",
            ])
    }

    @Test("leaves out columns that say nothing in any row")
    func empty() {
        let table = Table(columns: [("A", ["1", "-"]), ("B", ["-", "-"]), ("C", ["-", "2"])])
        #expect(table.lines == ["A  C", "1  -", "-  2"])
    }
}
