/// Texts of statements that have to name each column several times.
enum SQLText {
    /// A statement that enters a row in the place of the one with the same key.
    ///
    /// - Parameters:
    ///   - columns: all of those that a row is entered with; the key's come first.
    ///   - key: how many columns the key has.
    static func replacing(in table: String, _ columns: [String], key: Int = 1) -> String {
        let rest = columns.dropFirst(key).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(inserting(in: table, columns, key: key)) DO UPDATE SET \(rest)"
    }

    /// A statement that enters a row where there is none with the same key.
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
