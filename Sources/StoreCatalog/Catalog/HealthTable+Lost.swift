extension HealthTable {
    /// Enters lost renditions of an asset's stream beside earlier ones, each once.
    package static func insert(_ lost: [LostStream], of token: AssetToken, _ session: any SQLSession) throws {
        guard !lost.isEmpty else { return }
        let all =
            try self.lost(of: token, session).filter { old in !lost.contains { $0.label == old.label } }
            + lost
        try session.execute(
            "UPDATE asset SET lost = ? WHERE token = ?", [try JSONText.encode(all), token.description])
    }
    /// The streams of an asset that could not be read, whether or not they have come since.
    static func lost(of token: AssetToken, _ session: any SQLSession) throws -> [LostStream] {
        let text: String? = try session.value("SELECT lost FROM asset WHERE token = ?", [token.description])
        return try text.map { try JSONText.decode([LostStream].self, $0) } ?? []
    }
}
