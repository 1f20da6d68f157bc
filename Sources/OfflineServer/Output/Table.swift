internal import AssetStore

/// Columns of text for people.
struct Table {
    private var rows: [[String]] = []

    init(_ header: String...) { rows = [header] }

    /// Adds a row. Cells may hold what a stream says of itself.
    mutating func add(_ row: String...) { rows.append(row.map(\.plainLine)) }

    var lines: [String] {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
