internal import AssetStore

/// Columns of text for people.
struct Table {
    private var rows: [[String]] = []

    init(_ header: String...) { rows = [header] }

    /// A table of columns with their headers; those that say nothing in any row are left out.
    init(columns: [(header: String, cells: [String])]) {
        let telling = columns.filter { $0.cells.contains { $0 != Self.nothing } }
        rows = [telling.map(\.header)]
        for row in 0..<(telling.map(\.cells.count).min() ?? 0) {
            rows.append(telling.map { $0.cells[row].plainLine })
        }
    }

    /// A cell that says nothing.
    static let nothing = "-"

    /// Adds a row. Cells may hold what a stream says of itself.
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
