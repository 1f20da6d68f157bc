package struct UnitTable: CatalogTable {
    package let catalog: Catalog

    /// Enters units as stored, all in one transaction, and keeps the counters of their renditions.
    package func markStored(_ units: [StoredUnit]) throws(StoreError) {
        try write(.renditions(units.map(\.rendition))) { try Self.markStored(units, $0) }
    }

    package static func markStored(_ units: [StoredUnit], _ session: any SQLSession) throws {
        let set = try session.prepare(
            """
            UPDATE unit SET state = 1, size = ?, sha256 = ?, finding = ?, object = ?
            WHERE rendition = ? AND kind = ? AND number = ? AND state != 1
            """)
        let count = try session.prepare(
            """
            UPDATE rendition SET stored_bytes = stored_bytes + ?, stored_segments = stored_segments + ?,
                stored_initializations = stored_initializations + ?, folder_time = ? WHERE id = ?
            """)
        for unit in units {
            let changed = try set.execute([
                Int64(clamping: unit.size), unit.sha256, unit.finding?.rawValue, unit.object,
                unit.rendition,
                unit.kind.rawValue, unit.number,
            ])
            guard changed > 0 else { continue }
            if let disguise = unit.disguise { try note(disguise, ofRendition: unit.rendition, session) }
            let isSegment = unit.kind == .segment
            if let version = unit.version {
                try HealthTable.setVersion(
                    version, .segment(unit.number), ofRendition: unit.rendition, in: session)
            }
            try count.execute([
                Int64(clamping: unit.size), isSegment ? 1 : 0, isSegment ? 0 : 1,
                unit.folderTime?.nanoseconds, unit.rendition,
            ])
        }
    }

    private static func note(_ disguise: String, ofRendition id: Int64, _ session: any SQLSession) throws {
        try session.execute("UPDATE rendition SET disguise = ? WHERE id = ?", [disguise, id])
    }

    /// Enters a new object of a stored unit in place of a missing or damaged one.
    ///
    /// - Parameter finding: the result of the last check of its bytes.
    package func setObject(
        _ object: String, insteadOf former: String, of unit: AbsentRow, _ finding: UnitFinding?
    ) throws(StoreError) {
        try write(.rendition(unit.rendition)) { session in
            try session.execute(
                """
                UPDATE unit SET object = ?, finding = ?
                WHERE rendition = ? AND kind = ? AND number = ? AND state = 1 AND object = ?
                """,
                [object, finding?.rawValue, unit.rendition, unit.kind.rawValue, unit.number, former])
        }
    }

    /// The bytes and the object of a unit that was deleted on purpose are forgotten, but not the bytes of imported
    /// assets: these units must come from the folder again unchanged.
    static let forgettingBytes = """
        object = NULL,
        size = CASE WHEN url LIKE 'file:%' THEN size END, sha256 = CASE WHEN url LIKE 'file:%' THEN sha256 END
        """

    /// Takes back that units are stored, which are gone or damaged. Their lengths, hashes and objects are kept, so that
    /// files and objects that someone puts back are known.
    package func markAbsent(_ units: [AbsentRow]) throws(StoreError) {
        try write(.renditions(units.map(\.rendition))) { session in try Self.markAbsent(units, session) }
    }

    private static func markAbsent(_ units: [AbsentRow], _ session: any SQLSession) throws {
        for unit in units {
            let place: SQLArguments = [unit.rendition, unit.kind.rawValue, unit.number]
            let size = try session.first(
                "SELECT size FROM unit WHERE rendition = ? AND kind = ? AND number = ? AND state = 1", place
            ) { $0[0] as Int64? ?? 0 }
            if let size {
                let isSegment = unit.kind == .segment
                try session.execute(
                    """
                    UPDATE rendition SET stored_bytes = stored_bytes - ?, stored_segments = stored_segments - ?,
                        stored_initializations = stored_initializations - ? WHERE id = ?
                    """, [size, isSegment ? 1 : 0, isSegment ? 0 : 1, unit.rendition])
            }
            try session.execute(
                """
                UPDATE unit SET state = 0, finding = ? WHERE rendition = ? AND kind = ? AND number = ?
                """, [unit.finding.rawValue, unit.rendition, unit.kind.rawValue, unit.number])
        }
    }

    private static func isStored(_ unit: AbsentRow, _ session: any SQLSession) throws -> Bool {
        try session.hasRow(
            "SELECT 1 FROM unit WHERE rendition = ? AND kind = ? AND number = ? AND state = 1",
            [unit.rendition, unit.kind.rawValue, unit.number])
    }

    /// Takes back that units are stored, and tells of the damage, both or neither. Units that are not stored any more
    /// are not told of again.
    package func noteDamage(
        to token: AssetToken, _ units: [AbsentRow], reason: String, at now: Timestamp
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            let fresh = try units.filter { try Self.isStored($0, session) }
            // Another check has reported them in the meantime.
            guard units.isEmpty || !fresh.isEmpty else { return }
            try Self.markAbsent(fresh, session)
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .damaged, reason: reason))
            try catalog.health.noteHealth(of: token, at: now, session)
        }
    }

    /// The units of a rendition, initialization sections first, then segments by number.
    ///
    /// - Parameter states: only these; all when empty.
    package func all(of rendition: Int64, states: [UnitState] = []) throws(StoreError) -> [UnitRecord] {
        try read { session in
            let filter =
                states.isEmpty
                ? "" : "AND state IN (\(states.map { "\($0.rawValue)" }.joined(separator: ",")))"
            return try session.rows(
                "SELECT * FROM unit WHERE rendition = ? \(filter) ORDER BY kind DESC, number", [rendition],
                as: unit)
        }
    }

    /// Calls `body` with the hash of each stored unit of a rendition, in the order of `all`.
    package func eachStored(
        of rendition: Int64, _ body: (_ kind: UnitKind, _ number: Int, _ sha256: [UInt8]?) -> Void
    ) throws(StoreError) {
        try read { session in
            try session.each(
                """
                SELECT kind, number, sha256 FROM unit WHERE rendition = ? AND state = \(UnitState.stored.rawValue)
                ORDER BY kind DESC, number
                """, [rendition]
            ) { body(UnitKind(rawValue: $0[0]) ?? .segment, $0[1], $0[2]) }
        }
    }

    /// The units of a rendition that were stored, and were found to be gone or damaged.
    package func absent(of rendition: Int64) throws(StoreError) -> [UnitRecord] {
        try read { session in
            // The index of notable units is small, so that a run with many missing units loses no time.
            let index = session.dialect == .sqlite ? "INDEXED BY unit_finding" : ""
            return try session.rows(
                """
                SELECT * FROM unit \(index)
                WHERE rendition = ? AND finding IN (\(UnitFinding.gone.rawValue), \(UnitFinding.damaged.rawValue))
                    AND finding >= 100 AND state = 0
                """, [rendition], as: unit)
        }
    }

    /// The facts for the judgment of availability: the units without their addresses, in the order of the primary
    /// key, segments first.
    package func outlines(of rendition: Int64) throws(StoreError) -> [UnitOutline] {
        try read { session in
            try session.rows(
                """
                SELECT kind, number, start, duration, state, size, finding, object IS NOT NULL FROM unit
                WHERE rendition = ?
                ORDER BY kind, number
                """, [rendition]
            ) { row in
                UnitOutline(
                    kind: UnitKind(rawValue: row[0]) ?? .segment, number: row[1], start: row[2],
                    duration: row[3],
                    state: UnitState(rawValue: row[4]) ?? .missing,
                    size: (row[5] as Int64?).map { UInt64($0) },
                    finding: (row[6] as Int?).flatMap(UnitFinding.init), isInBucket: row[7])
            }
        }
    }

    /// The largest bit rate of a stored segment, in bits per second.
    package func peakBandwidth(ofRendition id: Int64) throws(StoreError) -> Int? {
        try read { session in
            let rate: Double? = try session.value(
                """
                SELECT max(size * 8.0 / max(duration, 0.1)) FROM unit
                WHERE rendition = ? AND kind = 0 AND state = 1
                """, [id])
            return rate.map { Int($0) }
        }
    }

    /// The media sequence numbers of the segments that are stored.
    package func storedNumbers(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { session in
            try session.values("SELECT number FROM unit WHERE rendition = ? AND kind = 0 AND state = 1", [id])
        }
    }

    /// The numbers of the initialization sections that are missing, in order.
    package func missingSections(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { session in
            try session.values(
                """
                SELECT number FROM unit WHERE rendition = ? AND kind = 1 AND state = 0 ORDER BY number
                """, [id])
        }
    }

    /// The segments and initialization sections that are stored.
    package func storedOutlines(ofRendition id: Int64) throws(StoreError) -> [UnitOutline] {
        try outlines(of: id).filter { $0.state == .stored && $0.size != nil }
    }

    /// Whether a rendition's first segment is encrypted as a whole.
    package func isEncrypted(rendition id: Int64) throws(StoreError) -> Bool {
        try read { session in
            try session.value(
                "SELECT encrypted FROM unit WHERE rendition = ? AND kind = 0 ORDER BY number LIMIT 1", [id])
                ?? false
        }
    }

    /// The start of a rendition's first segment, in seconds from the beginning of the presentation; 0 or less.
    package func start(ofRendition id: Int64) throws(StoreError) -> Double {
        try read { session in
            try session.value(
                "SELECT start FROM unit WHERE rendition = ? AND kind = 0 ORDER BY number LIMIT 1", [id]) ?? 0
        }
    }

    /// One unit of a rendition.
    package func unit(of rendition: Int64, _ kind: UnitKind, _ number: Int) throws(StoreError) -> UnitRecord?
    {
        try read { session in
            try session.first(
                "SELECT * FROM unit WHERE rendition = ? AND kind = ? AND number = ?",
                [rendition, kind.rawValue, number], as: unit)
        }
    }

    private func unit(_ row: any SQLRow) -> UnitRecord {
        var unit = UnitRecord(row)
        unit.url = catalog.opened(unit.url)
        return unit
    }
}

extension UnitRecord {
    package init(_ row: any SQLRow) {
        let offset: Int64? = row["range_offset"]
        let length: Int64? = row["range_length"]
        var range: ClosedOffsetRange?
        if let offset, let length {
            range = ClosedOffsetRange(offset: UInt64(offset), length: UInt64(length))
        }
        self.init(
            kind: UnitKind(rawValue: row["kind"]) ?? .segment, number: row["number"], start: row["start"],
            duration: row["duration"], url: row["url"], range: range,
            encryption: UnitEncryption(rawValue: row["encrypted"]) ?? .other,
            state: UnitState(rawValue: row["state"]) ?? .missing,
            size: (row["size"] as Int64?).map { UInt64($0) },
            sha256: row["sha256"],
            finding: (row["finding"] as Int?).flatMap(UnitFinding.init), object: row["object"])
    }
}
