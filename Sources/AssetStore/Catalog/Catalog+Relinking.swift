internal import FoundationEssentials
internal import GRDB

extension Catalog {
    /// Takes the addresses of a plan of the same stream for everything that an asset misses.
    ///
    /// - Throws: `notSameStream`, changing nothing, when something that is missing is not in the plan.
    func relink(
        _ token: AssetToken, _ plan: DownloadPlan, url: String, access: [UInt8]?, at now: Timestamp
    ) throws(StoreError) {
        let renditions = try renditions(of: [token])[token] ?? []
        try write { database in
            for rendition in renditions where rendition.hasPlaylist && rendition.sourceFile == nil {
                let units = plan.rendition(like: rendition)?.units ?? []
                // What was given up may be missing there, too.
                guard try Self.relink(rendition, units, database) || rendition.failure != nil else {
                    throw StoreError(.notSameStream(rendition.name))
                }
            }
            try database.execute(
                sql: "UPDATE asset SET source_url = ?, access = ? WHERE token = ?",
                arguments: [url, access.map { Data($0) }, token.description])
            try record(AssetEvent(id: 0, at: now, token: token, kind: .changed), database)
        }
    }

    /// - Returns: whether everything that is missing has a new address.
    private static func relink(
        _ rendition: RenditionRecord, _ units: [UnitRecord], _ database: Database
    ) throws -> Bool {
        let missing = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM unit WHERE rendition = ? AND state IN (0, 3)",
            arguments: [rendition.id])
        let statement = try database.cachedStatement(
            sql: """
                UPDATE unit SET url = ? WHERE rendition = ? AND kind = ? AND number = ? AND state IN (0, 3)
                    AND range_offset IS ? AND range_length IS ?
                """)
        var found = 0
        for unit in units {
            try statement.execute(arguments: [
                unit.url, rendition.id, unit.kind.rawValue, unit.number,
                unit.range.map { Int64(clamping: $0.offset) }, unit.range.map { Int64(clamping: $0.length) },
            ])
            found += database.changesCount
        }
        return found == missing
    }
}
