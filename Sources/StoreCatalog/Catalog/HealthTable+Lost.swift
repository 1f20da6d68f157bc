package import GRDB

extension HealthTable {
    /// Enters what of an asset's stream could not be read, beside what is entered already; the same once.
    package static func insert(_ lost: [LostStream], of token: AssetToken, _ database: Database) throws {
        guard !lost.isEmpty else { return }
        let all =
            try self.lost(of: token, database).filter { old in !lost.contains { $0.label == old.label } }
            + lost
        try database.execute(
            sql: "UPDATE asset SET lost = ? WHERE token = ?",
            arguments: [try JSONText.encode(all), token.description])
    }
    /// The streams of an asset that could not be read, whether or not they have come since.
    static func lost(of token: AssetToken, _ database: Database) throws -> [LostStream] {
        let text = try String.fetchOne(
            database, sql: "SELECT lost FROM asset WHERE token = ?", arguments: [token.description])
        return try text.map { try JSONText.decode([LostStream].self, $0) } ?? []
    }
}
