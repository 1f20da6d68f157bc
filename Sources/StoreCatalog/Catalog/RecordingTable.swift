internal import FoundationEssentials
package import GRDB

package struct RecordingTable: CatalogTable {
    package let catalog: Catalog

    package static func insert(_ plan: PlannedRecording, of token: AssetToken, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO recording (asset, duration, rental, play_window) VALUES (?, ?, ?, ?)",
            arguments: [token.description, plan.wish.duration, plan.terms.rental, plan.terms.playWindow])
        for (rendition, state) in plan.states {
            try database.execute(
                sql: """
                    INSERT INTO recorded_rendition (asset, rendition, shift, discontinuity) VALUES (?, ?, ?, ?)
                    """,
                arguments: [token.description, rendition, state.shift, state.discontinuity])
        }
    }

    /// The recording that an asset is; `nil` when it is none.
    package func recording(of token: AssetToken) throws(StoreError) -> Recording? {
        try read { database in
            try Row.fetchOne(
                try database.cachedStatement(sql: "SELECT * FROM recording WHERE asset = ?"),
                arguments: [token.description]
            ).map(Recording.init)
        }
    }

    /// The recordings among several assets, with what is missing in them.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: Recording] {
        try read { database in try Self.all(of: tokens, database) }
    }

    package static func all(
        of tokens: [AssetToken], _ database: Database
    ) throws -> [AssetToken: Recording] {
        let marks = tokens.map { _ in "?" }.joined(separator: ",")
        let names = StatementArguments(tokens.map(\.description))
        var found: [AssetToken: Recording] = [:]
        for row in try Row.fetchAll(
            database, sql: "SELECT * FROM recording WHERE asset IN (\(marks))", arguments: names)
        {
            guard let token = AssetToken(row["asset"] as String) else { continue }
            found[token] = Recording(row)
        }
        guard !found.isEmpty else { return [:] }
        for row in try Row.fetchAll(
            database, sql: "SELECT * FROM recorded_gap WHERE asset IN (\(marks)) ORDER BY id",
            arguments: names)
        {
            AssetToken(row["asset"] as String).map { found[$0]?.gaps.append(RecordingGap(row)) }
        }
        return found
    }

    /// The state of each rendition's recording, by its name.
    package func recordedStates(of token: AssetToken) throws(StoreError) -> [String: PlannedRecording.State] {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM recorded_rendition WHERE asset = ?",
                arguments: [token.description])
            let states = rows.map { row in
                (
                    row["rendition"] as String,
                    PlannedRecording.State(shift: row["shift"], discontinuity: row["discontinuity"])
                )
            }
            return Dictionary(states) { first, _ in first }
        }
    }

    /// How many pieces the recording of a rendition has: what is served of it changes with their number.
    package func pieceCount(_ token: AssetToken, _ rendition: String) throws(StoreError) -> Int {
        try read { database in
            try Int.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT pieces FROM recorded_rendition WHERE asset = ? AND rendition = ?"),
                arguments: [token.description, rendition]) ?? 0
        }
    }

    static func recordedPieces(_ token: AssetToken, _ rendition: String, _ database: Database) throws
        -> [UInt8]
    {
        let rows = try Data.fetchCursor(
            try database.cachedStatement(
                sql: "SELECT body FROM recorded_piece WHERE asset = ? AND rendition = ? ORDER BY number"),
            arguments: [token.description, rendition])
        var bytes: [UInt8] = []
        while let body = try rows.next() { bytes += body }
        return bytes
    }

    /// Enters what a load of a playlist brought.
    package func grow(_ growth: RecordedGrowth, at now: Timestamp) throws(StoreError) {
        let (token, row) = (growth.token, growth.rendition)
        try write { database in
            // One that was missing may have been renewed since the recording has named it first.
            for key in growth.keys { try RenditionTable.insert(key, of: token, database, replacing: false) }
            try RenditionTable.insert(growth.units, of: row.id, database)
            try database.execute(
                sql: """
                    UPDATE recorded_rendition SET shift = ?, discontinuity = ?, pieces = pieces + 1
                    WHERE asset = ? AND rendition = ?
                    """,
                arguments: [
                    growth.state.shift, growth.state.discontinuity, token.description, row.name,
                ])
            try database.execute(
                sql: """
                    INSERT INTO recorded_piece (asset, rendition, number, body)
                    SELECT asset, rendition, pieces, sealed_playlist(?) FROM recorded_rendition WHERE asset = ? AND rendition = ?
                    """, arguments: [Data(growth.body), token.description, row.name])
            try Self.lengthen(growth, database)
            if let gap = growth.gap { try self.record(gap, of: token, database) }
        }
    }

    private static func lengthen(_ growth: RecordedGrowth, _ database: Database) throws {
        let segments = growth.units.count { $0.kind == .segment && $0.state != .gap }
        try database.execute(
            sql: """
                UPDATE rendition SET duration = duration + ?, segments = segments + ?,
                    initializations = initializations + ?, expected_bytes = NULL WHERE id = ?
                """,
            arguments: [
                growth.duration, segments, growth.units.count { $0.kind == .initialization },
                growth.rendition.id,
            ])
        try database.execute(
            sql: """
                UPDATE asset SET duration = max(duration, (SELECT duration FROM rendition WHERE id = ?))
                WHERE token = ?
                """, arguments: [growth.rendition.id, growth.token.description])
    }

    private func record(_ gap: RecordingGap, of token: AssetToken, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO recorded_gap (asset, rendition, number, count, start, duration, reason, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.description, gap.rendition, gap.number, gap.count, gap.start, gap.duration, gap.reason,
                gap.at.milliseconds,
            ])
        try catalog.events.record(
            AssetEvent(id: 0, at: gap.at, token: token, kind: .changed, reason: "gap-\(gap.reason)"), database
        )
    }

    /// A segment that the playlist had and the origin has not: nothing is waited for any more.
    package func markLost(_ job: UnitJob, of token: AssetToken, at now: Timestamp) throws(StoreError) {
        let (unit, row) = (job.unit, job.rendition)
        try write { database in
            try database.execute(
                sql:
                    "UPDATE unit SET state = 2, finding = 102 WHERE rendition = ? AND kind = ? AND number = ? AND state != 1",
                arguments: [row.id, unit.kind.rawValue, unit.number])
            guard database.changesCount > 0, unit.kind == .segment else { return }
            try database.execute(
                sql: "UPDATE rendition SET segments = segments - 1 WHERE id = ?", arguments: [row.id])
            try database.execute(
                sql: "UPDATE recorded_rendition SET pieces = pieces + 1 WHERE asset = ? AND rendition = ?",
                arguments: [token.description, row.name])
            try record(
                RecordingGap(
                    rendition: row.name, number: unit.number, count: 1, start: unit.start,
                    duration: unit.duration, reason: GapReason.lost.rawValue, at: now), of: token, database)
        }
    }

    /// Notes when a rendition's folder last changed, by our own hand.
    package func setFolderTime(_ time: FolderTime, ofRendition id: Int64) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE rendition SET folder_time = ? WHERE id = ?", arguments: [time.nanoseconds, id])
        }
    }

    /// Ends a recording; one that has ended stays as it is.
    package func endRecording(_ token: AssetToken, _ end: RecordingEnd, at now: Timestamp) throws(StoreError)
    {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE recording SET ended_at = ?, end_reason = ? WHERE asset = ? AND ended_at IS NULL
                    """, arguments: [now.milliseconds, end.rawValue, token.description])
            guard database.changesCount > 0 else { return }
            try catalog.events.record(
                AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "recorded-\(end.rawValue)"),
                database)
        }
    }

    /// The recordings that have not ended.
    package func openRecordings() throws(StoreError) -> [AssetToken] {
        try read { database in
            try String.fetchAll(database, sql: "SELECT asset FROM recording WHERE ended_at IS NULL")
                .compactMap { AssetToken($0) }
        }
    }

    /// The recordings that could go on now, the oldest first.
    package func queuedRecordings() throws(StoreError) -> [AssetToken] {
        try read { database in
            try String.fetchAll(
                try database.cachedStatement(
                    sql: """
                        SELECT token FROM recording JOIN asset ON token = recording.asset
                        WHERE ended_at IS NULL AND state = 'queued'
                            AND coalesce(reason, '') NOT IN ('network', 'disk')
                        """)
            ).compactMap { AssetToken($0) }
        }
    }

    /// The numbers of the segments that are known to be missing for good.
    package func gapNumbers(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { database in
            try Int.fetchAll(
                try database.cachedStatement(
                    sql: "SELECT number FROM unit WHERE rendition = ? AND kind = 0 AND state = 2"),
                arguments: [id])
        }
    }
}

extension Recording {
    fileprivate init(_ row: Row) {
        self.init(
            duration: row["duration"], endedAt: (row["ended_at"] as Int64?).map(Timestamp.init),
            end: (row["end_reason"] as String?).flatMap(RecordingEnd.init),
            terms: LicenseTerms(rental: row["rental"], playWindow: row["play_window"]))
    }
}

extension RecordingGap {
    fileprivate init(_ row: Row) {
        self.init(
            rendition: row["rendition"], number: row["number"], count: row["count"], start: row["start"],
            duration: row["duration"], reason: row["reason"], at: Timestamp(milliseconds: row["at"]))
    }
}
