internal import FoundationEssentials
package import GRDB
internal import HLSPlaylist

/// The new address of an asset.
package struct FreshLink: Sendable {
    package var url: String
    /// `OriginAccess` as the vault sealed it.
    package var access: [UInt8]?
    /// Whether the stream lists only the latest part of what the asset has.
    package var isOfRecording = false
    /// Renditions that are something else there, or not there: they keep their addresses.
    package var others: Set<Int64> = []
    /// The address at the moment when somebody was asked for a fresh one; `nil` when the user gave it.
    package var former: String?
    /// The addresses that redirects have led to from there.
    package var redirects: [String] = []

    package init(
        url: String, access: [UInt8]? = nil, isOfRecording: Bool = false, others: Set<Int64> = [],
        former: String? = nil, redirects: [String] = []
    ) {
        self.url = url
        self.access = access
        self.isOfRecording = isOfRecording
        self.others = others
        self.former = former
        self.redirects = redirects
    }
}

package struct AddressTable: CatalogTable {
    package let catalog: Catalog

    /// Takes the addresses of a plan of the same stream for everything that an asset misses; those that nobody gave
    /// only if it still waits for them.
    ///
    /// - Throws: `notSameStream`, changing nothing, when something that is missing is not in the plan. Of a recording
    ///   the renditions must be there; segments that are listed no more keep their addresses.
    package func relink(
        _ token: AssetToken, _ plan: DownloadPlan, _ link: FreshLink, at now: Timestamp
    ) throws(StoreError) {
        let renditions = try catalog.renditions.all(of: [token])[token] ?? []
        let states = link.isOfRecording ? try catalog.recordings.recordedStates(of: token) : [:]
        try write { database in
            guard try Self.isWanted(from: link.former, token, database) else { return }
            for rendition in renditions
            where rendition.hasPlaylist && rendition.sourceFile == nil && !link.others.contains(rendition.id)
            {
                let planned = plan.rendition(like: rendition)
                let isWhole =
                    if link.isOfRecording {
                        try Self.relink(
                            rendition, states[rendition.name], planned: planned, of: token, database: database
                        )
                    } else {
                        try Self.relink(rendition, planned?.listedUnits ?? [], database: database)
                    }
                // What was given up may be missing there, too.
                guard isWhole || rendition.failure != nil else {
                    throw StoreError(.notSameStream(rendition.name))
                }
            }
            if link.isOfRecording { try Self.takeVariables(of: plan, token, database) }
            try database.execute(
                sql:
                    "UPDATE asset SET source_url = sealed_address(?), access = ?, redirects = ? WHERE token = ?",
                arguments: [
                    link.url, link.access.map { Data($0) }, try JSONText.encode(link.redirects),
                    token.description,
                ])
            try catalog.events.record(AssetEvent(id: 0, at: now, token: token, kind: .changed), database)
        }
    }

    /// Keeps how an asset's origin is asked, sealed; and with it the request of one that has not been looked into.
    package func setAccess(of token: AssetToken, _ access: [UInt8]?, request: [UInt8]?) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE asset SET access = ? WHERE token = ?",
                arguments: [access.map { Data($0) }, token.description])
            guard let request else { return }
            try database.execute(
                sql: "UPDATE request SET sealed = ? WHERE asset = ?",
                arguments: [Data(request), token.description])
        }
    }

    /// Whether an address that was asked for is to be taken: what the user has done meanwhile stands.
    ///
    /// - Parameter former: where the asset came from when it was asked for; `nil` when it was not.
    package static func isWanted(
        from former: String?, _ token: AssetToken, _ database: Database
    ) throws -> Bool {
        guard let former else { return true }
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 FROM asset WHERE token = ? AND state = 'queued' AND reason = ?
                    AND source_url = sealed_address(?)
                """)
        let arguments: StatementArguments = [token.description, StateReason.link.rawValue, former]
        return try Int.fetchOne(statement, arguments: arguments) != nil
    }

    /// - Returns: whether everything that is missing has a new address.
    private static func relink(
        _ rendition: RenditionRecord, _ units: [UnitRecord], database: Database
    ) throws -> Bool {
        let missing = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM unit WHERE rendition = ? AND state IN (0, 3)",
            arguments: [rendition.id])
        let statement = try database.cachedStatement(
            sql: """
                UPDATE unit SET url = sealed_address(?)
                WHERE rendition = ? AND kind = ? AND number = ? AND state IN (0, 3)
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

// MARK: - Recordings

extension AddressTable {
    /// The playlists that are loaded from now on import the variables (EXT-X-DEFINE) of the fresh multivariant playlist;
    /// what was recorded names none. Whole playlists that do, as stores of earlier versions have them, keep the former ones.
    /// Session data, which are told by their places in it, are kept where they still have them.
    private static func takeVariables(
        of plan: DownloadPlan, _ token: AssetToken, _ database: Database
    ) throws {
        guard let main = plan.sources.first(where: \.rendition.isEmpty) else { return }
        let sessionData = try SessionDataTable.listedSessionData(of: token, database)
        try database.execute(
            sql: """
                UPDATE source_playlist SET url = sealed_address(?1), body = sealed_playlist(?2)
                    WHERE asset = ?3 AND rendition = ''
                    AND NOT EXISTS (SELECT 1 FROM source_playlist AS other
                        WHERE other.asset = ?3 AND other.rendition != '' AND instr(other.body, ?4) > 0
                            AND other.rendition NOT IN
                                (SELECT rendition FROM recorded_rendition WHERE asset = ?3))
                """,
            arguments: [main.url, Data(main.body), token.description, Data("#EXT-X-DEFINE".utf8)])
        try SessionDataTable.dropSessionData(listedOtherwiseThan: sessionData, of: token, database)
    }

    /// - Returns: whether the stream has the rendition, or need not have it.
    private static func relink(
        _ rendition: RenditionRecord, _ state: PlannedRecording.State?, planned: PlannedRendition?,
        of token: AssetToken, database: Database
    ) throws -> Bool {
        guard let planned, planned.stream.playlist != nil else { return !rendition.required }
        // Only the base is another one: what was recorded has whole addresses.
        if state != nil {
            try database.execute(
                sql: "UPDATE source_playlist SET url = sealed_address(?) WHERE asset = ? AND rendition = ?",
                arguments: [planned.stream.url, token.description, rendition.name])
        }
        let missing = try Row.fetchAll(
            database, sql: "SELECT * FROM unit WHERE rendition = ? AND state IN (0, 3)",
            arguments: [rendition.id]
        ).map(UnitRecord.init)
        let addresses = FreshAddresses(planned.units, numbersAhead: state?.shift ?? 0)
        let statement = try database.cachedStatement(
            sql: "UPDATE unit SET url = sealed_address(?) WHERE rendition = ? AND kind = ? AND number = ?")
        for unit in missing {
            guard let url = addresses.url(of: unit) else { continue }
            try statement.execute(arguments: [url, rendition.id, unit.kind.rawValue, unit.number])
        }
        return true
    }
}

/// The addresses of recorded units, as their stream lists them now. Of several that are alike the first one counts.
package struct FreshAddresses {
    private struct Place: Hashable {
        var number: Int
        var range: ClosedOffsetRange?
    }

    private struct Name: Hashable {
        /// The last part of the path.
        var text: Substring?
        var range: ClosedOffsetRange?

        init(_ unit: UnitRecord) {
            text = URIReference(unit.url).path.split(separator: "/").last
            range = unit.range
        }
    }

    private var segments: [Place: String] = [:]
    /// Initialization sections have numbers of the recording's own, and are told by their names.
    private var sections: [Name: String] = [:]

    /// - Parameters:
    ///   - units: what the stream lists.
    ///   - numbersAhead: by how much the recording's numbers are ahead of the stream's.
    package init(_ units: [UnitRecord], numbersAhead: Int) {
        // The first one counts, so that it has to be entered last.
        for unit in units.reversed() {
            switch unit.kind {
            case .segment:
                segments[Place(number: unit.number &+ numbersAhead, range: unit.range)] = unit.url
            case .initialization: sections[Name(unit)] = unit.url
            }
        }
    }

    /// The current address of a recorded unit; `nil` when it is not listed any more.
    package func url(of unit: UnitRecord) -> String? {
        switch unit.kind {
        case .segment: segments[Place(number: unit.number, range: unit.range)]
        case .initialization: sections[Name(unit)]
        }
    }
}
