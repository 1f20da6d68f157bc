internal import AssetStore

/// Text in columns.
struct Table {
    private var rows: [[String]] = []

    init(_ header: String...) { rows = [header] }

    /// Makes a table of columns with headers; columns that are empty in all rows are left out.
    init(columns: [(header: String, cells: [String])]) {
        let telling = columns.filter { $0.cells.contains { $0 != Self.nothing } }
        rows = [telling.map(\.header)]
        for row in 0..<(telling.map(\.cells.count).min() ?? 0) {
            rows.append(telling.map { $0.cells[row].plainLine })
        }
    }

    /// The text of an empty cell.
    static let nothing = "-"

    /// Adds a row. Texts from streams are made safe for a terminal.
    mutating func add(_ row: String...) { rows.append(row.map(\.plainLine)) }

    var lines: [String] {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].columns }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
