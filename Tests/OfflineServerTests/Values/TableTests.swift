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
        #expect(Table(columns: [("A", ["-"])]).lines == [""])
    }

    @Test("has as many rows as its shortest column")
    func uneven() {
        let table = Table(columns: [("A", ["1", "2"]), ("B", ["3"])])
        #expect(table.lines == ["A  B", "1  3"])
    }

    @Test("gives two columns to each emoji, and no blanks to a text that is too wide")
    func widths() {
        #expect("👍".columns == 2 && "👨‍👩‍👧".columns == 2 && "日".columns == 2 && "ab".columns == 2)
        #expect("abc".padded(to: 2) == "abc" && "日".padded(to: 3) == "日 ")
    }
}
