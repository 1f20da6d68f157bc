internal import FoundationEssentials
package import GRDB

package struct UnitTable: CatalogTable {
    package let catalog: Catalog

    /// Enters units as stored, all in one transaction, and keeps the counters of their renditions.
    package func markStored(_ units: [StoredUnit]) throws(StoreError) {
        try write { try Self.markStored(units, $0) }
    }

    package static func markStored(_ units: [StoredUnit], _ database: Database) throws {
        let set = try database.cachedStatement(
            sql: """
                UPDATE unit SET state = 1, size = ?, sha256 = ?, finding = ?
                WHERE rendition = ? AND kind = ? AND number = ? AND state != 1
                """)
        let count = try database.cachedStatement(
            sql: """
                UPDATE rendition SET stored_bytes = stored_bytes + ?, stored_segments = stored_segments + ?,
                    stored_initializations = stored_initializations + ?, folder_time = ? WHERE id = ?
                """)
        for unit in units {
            try set.execute(arguments: [
                Int64(clamping: unit.size), Data(unit.sha256), unit.finding?.rawValue, unit.rendition,
                unit.kind.rawValue, unit.number,
            ])
            guard database.changesCount > 0 else { continue }
            if let disguise = unit.disguise { try note(disguise, ofRendition: unit.rendition, database) }
            let isSegment = unit.kind == .segment
            if let version = unit.version {
                try HealthTable.setVersion(
                    version, .segment(unit.number), ofRendition: unit.rendition, database)
            }
            try count.execute(arguments: [
                Int64(clamping: unit.size), isSegment ? 1 : 0, isSegment ? 0 : 1,
                unit.folderTime?.nanoseconds, unit.rendition,
            ])
        }
    }

    private static func note(_ disguise: String, ofRendition id: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE rendition SET disguise = ? WHERE id = ?")
            .execute(arguments: [disguise, id])
    }

    /// Of what is not stored, only the bytes of what was copied from a folder are known: it must come from there again as
    /// it was.
    static let forgettingBytes = """
        size = CASE WHEN url LIKE 'file:%' THEN size END, sha256 = CASE WHEN url LIKE 'file:%' THEN sha256 END
        """

    /// Takes back that units are stored, which are gone or damaged.
    package func markAbsent(_ units: [AbsentRow]) throws(StoreError) {
        try write { database in try Self.markAbsent(units, database) }
    }

    private static func markAbsent(_ units: [AbsentRow], _ database: Database) throws {
        for unit in units {
            try database.execute(
                sql: """
                    UPDATE rendition SET
                        stored_bytes = stored_bytes - coalesce((SELECT size FROM unit WHERE rendition = ?1
                            AND kind = ?2 AND number = ?3 AND state = 1), 0),
                        stored_segments = stored_segments - (?2 = 0 AND EXISTS (SELECT 1 FROM unit
                            WHERE rendition = ?1 AND kind = ?2 AND number = ?3 AND state = 1)),
                        stored_initializations = stored_initializations - (?2 = 1 AND EXISTS (SELECT 1 FROM unit
                            WHERE rendition = ?1 AND kind = ?2 AND number = ?3 AND state = 1))
                    WHERE id = ?1
                    """, arguments: [unit.rendition, unit.kind.rawValue, unit.number])
            try database.execute(
                sql: """
                    UPDATE unit SET state = 0, finding = ?, \(forgettingBytes)
                    WHERE rendition = ? AND kind = ? AND number = ?
                    """,
                arguments: [unit.finding.rawValue, unit.rendition, unit.kind.rawValue, unit.number])
        }
    }

    private static func isStored(_ unit: AbsentRow, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT state = 1 FROM unit WHERE rendition = ? AND kind = ? AND number = ?",
            arguments: [unit.rendition, unit.kind.rawValue, unit.number]) ?? false
    }

    /// Takes back that units are stored, and tells of the damage, both or neither. Units that are not stored any more
    /// are not told of again.
    package func noteDamage(
        to token: AssetToken, _ units: [AbsentRow], reason: String, at now: Timestamp
    ) throws(StoreError) {
        try write { database in
            let fresh = try units.filter { try Self.isStored($0, database) }
            // Another look has told of them meanwhile.
            guard units.isEmpty || !fresh.isEmpty else { return }
            try Self.markAbsent(fresh, database)
            try catalog.events.record(
                AssetEvent(id: 0, at: now, token: token, kind: .damaged, reason: reason), database)
            try catalog.health.noteHealth(of: token, at: now, database)
        }
    }

    /// The units of a rendition, initialization sections first, then segments by number.
    ///
    /// - Parameter states: only these; all when empty.
    package func all(of rendition: Int64, states: [UnitState] = []) throws(StoreError) -> [UnitRecord] {
        try read { database in
            let filter =
                states.isEmpty
                ? "" : "AND state IN (\(states.map { "\($0.rawValue)" }.joined(separator: ",")))"
            let rows = try Row.fetchCursor(
                try database.cachedStatement(
                    sql: "SELECT * FROM unit WHERE rendition = ? \(filter) ORDER BY kind DESC, number"),
                arguments: [rendition])
            var units: [UnitRecord] = []
            while let row = try rows.next() { units.append(unit(row)) }
            return units
        }
    }

    /// The facts by which availability is judged: the units without their addresses, in the order of the primary key,
    /// segments first.
    package func outlines(of rendition: Int64) throws(StoreError) -> [UnitOutline] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT kind, number, start, duration, state, size, finding FROM unit WHERE rendition = ?
                    ORDER BY kind, number
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [rendition])
            var outlines: [UnitOutline] = []
            while let row = try rows.next() {
                outlines.append(
                    UnitOutline(
                        kind: UnitKind(rawValue: row[0]) ?? .segment, number: row[1], start: row[2],
                        duration: row[3],
                        state: UnitState(rawValue: row[4]) ?? .missing,
                        size: (row[5] as Int64?).map { UInt64($0) },
                        finding: (row[6] as Int?).flatMap(UnitFinding.init)))
            }
            return outlines
        }
    }

    /// The largest bit rate of a stored segment, in bits per second.
    package func peakBandwidth(ofRendition id: Int64) throws(StoreError) -> Int? {
        try read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT CAST(max(size * 8.0 / max(duration, 0.1)) AS INTEGER) FROM unit
                    WHERE rendition = ? AND kind = 0 AND state = 1
                    """, arguments: [id])
        }
    }

    /// The media sequence numbers of the segments that are stored.
    package func storedNumbers(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { database in
            try Int.fetchAll(
                try database.cachedStatement(
                    sql: "SELECT number FROM unit WHERE rendition = ? AND kind = 0 AND state = 1"),
                arguments: [id])
        }
    }

    /// The numbers of the initialization sections that are missing, in order.
    package func missingSections(ofRendition id: Int64) throws(StoreError) -> [Int] {
        try read { database in
            try Int.fetchAll(
                try database.cachedStatement(
                    sql: """
                        SELECT number FROM unit WHERE rendition = ? AND kind = 1 AND state = 0 ORDER BY number
                        """),
                arguments: [id])
        }
    }

    /// The segments and initialization sections that are stored.
    package func storedOutlines(ofRendition id: Int64) throws(StoreError) -> [UnitOutline] {
        try outlines(of: id).filter { $0.state == .stored && $0.size != nil }
    }

    /// Whether a rendition's first segment is encrypted as a whole.
    package func isEncrypted(rendition id: Int64) throws(StoreError) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT encrypted FROM unit WHERE rendition = ? AND kind = 0 ORDER BY number LIMIT 1")
            return try Bool.fetchOne(statement, arguments: [id]) ?? false
        }
    }

    /// The start of a rendition's first segment, in seconds from the beginning of the presentation; 0 or less.
    package func start(ofRendition id: Int64) throws(StoreError) -> Double {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT start FROM unit WHERE rendition = ? AND kind = 0 ORDER BY number LIMIT 1")
            return try Double.fetchOne(statement, arguments: [id]) ?? 0
        }
    }

    /// One unit of a rendition.
    package func unit(_ rendition: Int64, _ kind: UnitKind, _ number: Int) throws(StoreError) -> UnitRecord? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM unit WHERE rendition = ? AND kind = ? AND number = ?")
            return try Row.fetchOne(statement, arguments: [rendition, kind.rawValue, number]).map(unit)
        }
    }

    private func unit(_ row: Row) -> UnitRecord {
        var unit = UnitRecord(row)
        unit.url = catalog.opened(unit.url)
        return unit
    }
}

extension UnitRecord {
    package init(_ row: Row) {
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
            sha256: (row["sha256"] as Data?).map { [UInt8]($0) },
            finding: (row["finding"] as Int?).flatMap(UnitFinding.init))
    }
}
