package struct RecordingTable: CatalogTable {
    package let catalog: Catalog

    package static func insert(_ plan: PlannedRecording, of token: AssetToken, _ session: any SQLSession)
        throws
    {
        try session.execute(
            "INSERT INTO recording (asset, duration, rental, play_window) VALUES (?, ?, ?, ?)",
            [token.description, plan.wish.duration, plan.terms.rental, plan.terms.playWindow])
        for (rendition, state) in plan.states {
            try session.execute(
                """
                INSERT INTO recorded_rendition (asset, rendition, shift, discontinuity) VALUES (?, ?, ?, ?)
                """, [token.description, rendition, state.shift, state.discontinuity])
        }
    }

    /// The recording of an asset; `nil` if it is not a recording.
    package func recording(of token: AssetToken) throws(StoreError) -> Recording? {
        try read { session in
            try session.first(
                "SELECT * FROM recording WHERE asset = ?", [token.description], as: Recording.init)
        }
    }

    /// The recordings among several assets, with their gaps.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: Recording] {
        try read { session in try Self.all(of: tokens, session) }
    }

    package static func all(
        of tokens: [AssetToken], _ session: any SQLSession
    ) throws -> [AssetToken: Recording] {
        let list = SQLList(tokens)
        var found: [AssetToken: Recording] = [:]
        try session.each("SELECT * FROM recording WHERE asset IN (\(list.marks))", list.arguments) { row in
            guard let token = AssetToken(row["asset"] as String) else { return }
            found[token] = Recording(row)
        }
        guard !found.isEmpty else { return [:] }
        try session.each(
            "SELECT * FROM recorded_gap WHERE asset IN (\(list.marks)) ORDER BY id", list.arguments
        ) { row in
            AssetToken(row["asset"] as String).map { found[$0]?.gaps.append(RecordingGap(row)) }
        }
        return found
    }

    /// The state of each rendition's recording, by its name.
    package func recordedStates(of token: AssetToken) throws(StoreError) -> [String: PlannedRecording.State] {
        try read { session in
            let states = try session.rows(
                "SELECT * FROM recorded_rendition WHERE asset = ?", [token.description]
            ) { row in
                (
                    row["rendition"] as String,
                    PlannedRecording.State(shift: row["shift"], discontinuity: row["discontinuity"])
                )
            }
            return Dictionary(states) { first, _ in first }
        }
    }

    /// The number of pieces in the recording of a rendition: its served playlist changes with this number.
    package func pieceCount(_ token: AssetToken, _ rendition: String) throws(StoreError) -> Int {
        try read { session in
            try session.value(
                "SELECT pieces FROM recorded_rendition WHERE asset = ? AND rendition = ?",
                [token.description, rendition]) ?? 0
        }
    }

    static func recordedPieces(of rendition: String, _ token: AssetToken, _ session: any SQLSession) throws
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        try session.each(
            "SELECT body FROM recorded_piece WHERE asset = ? AND rendition = ? ORDER BY number",
            [token.description, rendition]
        ) { bytes += $0[0] as [UInt8] }
        return bytes
    }

    /// Enters the findings of a load of a playlist.
    package func grow(_ growth: RecordedGrowth, at now: Timestamp) throws(StoreError) {
        let (token, row) = (growth.token, growth.rendition)
        try write(.asset(token)) { session in
            // A missing key may have been fetched since the recording first named it.
            for key in growth.keys { try RenditionTable.insert(key, of: token, session, replacing: false) }
            try RenditionTable.insert(growth.units, of: row.id, session)
            try session.execute(
                """
                UPDATE recorded_rendition SET shift = ?, discontinuity = ?, pieces = pieces + 1
                WHERE asset = ? AND rendition = ?
                """,
                [
                    growth.state.shift, growth.state.discontinuity, token.description, row.name,
                ])
            try session.execute(
                """
                INSERT INTO recorded_piece (asset, rendition, number, body)
                SELECT asset, rendition, pieces, ? FROM recorded_rendition WHERE asset = ? AND rendition = ?
                """, [try session.seal.sealed(playlist: growth.body), token.description, row.name])
            try Self.lengthen(growth, session)
            if let gap = growth.gap { try self.record(gap, of: token, session) }
        }
    }

    private static func lengthen(_ growth: RecordedGrowth, _ session: any SQLSession) throws {
        let segments = growth.units.count { $0.kind == .segment && $0.state != .gap }
        try session.execute(
            """
            UPDATE rendition SET duration = duration + ?, segments = segments + ?,
                initializations = initializations + ?, expected_bytes = NULL WHERE id = ?
            """,
            [
                growth.duration, segments, growth.units.count { $0.kind == .initialization },
                growth.rendition.id,
            ])
        try session.execute(
            """
            UPDATE asset SET duration = max(duration, (SELECT duration FROM rendition WHERE id = ?))
            WHERE token = ?
            """, [growth.rendition.id, growth.token.description])
    }

    private func record(_ gap: RecordingGap, of token: AssetToken, _ session: any SQLSession) throws {
        try session.execute(
            """
            INSERT INTO recorded_gap (asset, rendition, number, count, start, duration, reason, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.description, gap.rendition, gap.number, gap.count, gap.start, gap.duration, gap.reason,
                gap.at.milliseconds,
            ])
        session.record(
            AssetEvent(id: 0, at: gap.at, token: token, kind: .changed, reason: "gap-\(gap.reason)"))
    }

    /// Marks a listed segment that the origin lacks as lost, so that no run waits for it.
    package func markLost(_ job: UnitJob, of token: AssetToken, at now: Timestamp) throws(StoreError) {
        let (unit, row) = (job.unit, job.rendition)
        try write(.asset(token)) { session in
            let changed = try session.execute(
                "UPDATE unit SET state = 2, finding = 102 WHERE rendition = ? AND kind = ? AND number = ? AND state != 1",
                [row.id, unit.kind.rawValue, unit.number])
            guard changed > 0, unit.kind == .segment else { return }
            try session.execute("UPDATE rendition SET segments = segments - 1 WHERE id = ?", [row.id])
            try session.execute(
                "UPDATE recorded_rendition SET pieces = pieces + 1 WHERE asset = ? AND rendition = ?",
                [token.description, row.name])
            try record(
                RecordingGap(
                    rendition: row.name, number: unit.number, count: 1, start: unit.start,
                    duration: unit.duration, reason: GapReason.lost.rawValue, at: now), of: token, session)
        }
    }

    /// Notes when a rendition's folder last changed, by our own hand.
    package func setFolderTime(_ time: FolderTime, ofRendition id: Int64) throws(StoreError) {
        try write(.rendition(id)) { session in
            try session.execute("UPDATE rendition SET folder_time = ? WHERE id = ?", [time.nanoseconds, id])
        }
    }

    /// Ends a recording; an ended one stays unchanged.
    package func endRecording(_ token: AssetToken, _ end: RecordingEnd, at now: Timestamp) throws(StoreError)
    {
        try write(.asset(token)) { session in
            let changed = try session.execute(
                """
                UPDATE recording SET ended_at = ?, end_reason = ? WHERE asset = ? AND ended_at IS NULL
                """, [now.milliseconds, end.rawValue, token.description])
            guard changed > 0 else { return }
            session.record(
                AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "recorded-\(end.rawValue)"))
        }
    }

    /// The recordings that have not ended.
    package func openRecordings() throws(StoreError) -> [AssetToken] {
        try read { session in
            try session.tokens("SELECT asset FROM recording WHERE ended_at IS NULL")
        }
    }

    /// The recordings that could go on now, the oldest first.
    package func queuedRecordings() throws(StoreError) -> [AssetToken] {
        try read { session in
            try session.tokens(
                """
                SELECT token FROM recording JOIN asset ON token = recording.asset
                WHERE ended_at IS NULL AND state = 'queued'
                    AND coalesce(reason, '') NOT IN ('network', 'disk')
                """)
        }
    }

    /// The numbers of the segments that are known to be missing for good.
    package func gapNumbers(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { session in
            try session.values("SELECT number FROM unit WHERE rendition = ? AND kind = 0 AND state = 2", [id])
        }
    }
}

extension Recording {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            duration: row["duration"], endedAt: (row["ended_at"] as Int64?).map(Timestamp.init),
            end: (row["end_reason"] as String?).flatMap(RecordingEnd.init),
            terms: LicenseTerms(rental: row["rental"], playWindow: row["play_window"]))
    }
}

extension RecordingGap {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            rendition: row["rendition"], number: row["number"], count: row["count"], start: row["start"],
            duration: row["duration"], reason: row["reason"], at: Timestamp(milliseconds: row["at"]))
    }
}
