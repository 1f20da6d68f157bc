package import GRDB

extension HealthTable {
    /// Enters what of an asset's stream could not be read, beside what is entered already; the same once.
    package static func insert(_ lost: [LostStream], of token: AssetToken, _ database: Database) throws {
        guard !lost.isEmpty else { return }
        let text = try String.fetchOne(
            database, sql: "SELECT lost FROM asset WHERE token = ?", arguments: [token.description])
        let known = try text.map { try JSONText.decode([LostStream].self, $0) } ?? []
        let all = known.filter { old in !lost.contains { $0.label == old.label } } + lost
        try database.execute(
            sql: "UPDATE asset SET lost = ? WHERE token = ?",
            arguments: [try JSONText.encode(all), token.description])
    }
}
