import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A table")
struct TableTests {
    @Test("has aligned columns, in every script")
    func wide() {
        var table = Table("NAME", "GROUP")
        for name in ["日本語", "한국어", "Français", "العربية", "e\u{301}te\u{301}"] { table.add(name, "subs") }
        #expect(
            table.lines == [
                "NAME      GROUP", "日本語    subs", "한국어    subs", "Français  subs", "العربية   subs",
                "e\u{301}te\u{301}       subs",
            ])
    }

    @Test("leaves out columns that are empty in all rows")
    func empty() {
        let table = Table(columns: [("A", ["1", "-"]), ("B", ["-", "-"]), ("C", ["-", "2"])])
        #expect(table.lines == ["A  C", "1  -", "-  2"])
    }
}
