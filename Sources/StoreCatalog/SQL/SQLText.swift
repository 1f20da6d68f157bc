/// Texts of statements that have to name each column several times.
enum SQLText {
    /// A statement that inserts a row or replaces the one with the same key.
    ///
    /// - Parameters:
    ///   - columns: all columns of the row; those of the key come first.
    ///   - key: the number of columns in the key.
    static func replacing(in table: String, _ columns: [String], key: Int = 1) -> String {
        let rest = columns.dropFirst(key).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(inserting(in: table, columns, key: key)) DO UPDATE SET \(rest)"
    }

    /// A statement that inserts a row unless there is one with the same key.
    static func adding(to table: String, _ columns: [String], key: Int = 1) -> String {
        "\(inserting(in: table, columns, key: key)) DO NOTHING"
    }

    private static func inserting(in table: String, _ columns: [String], key: Int) -> String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT (\(columns.prefix(key).joined(separator: ", ")))
            """
    }
}
