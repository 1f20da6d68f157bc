internal import HLSPlaylist

/// The new address of an asset.
package struct FreshLink: Sendable {
    package var url: String
    /// `OriginAccess` as the vault sealed it.
    package var access: [UInt8]?
    /// Whether the stream lists only the latest part of the asset.
    package var isOfRecording: Bool
    /// Renditions that differ or are missing at the new address: they keep their addresses.
    package var others: Set<Int64>
    /// The address at the time when a fresh one was requested; `nil` if the user gave the fresh one.
    package var former: String?
    /// The addresses that redirects have led to from there.
    package var redirects: [String]

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

    /// Gives the missing units of an asset the addresses of a plan of the same stream. An address that did not come
    /// from the user is used only if the asset still waits for it.
    ///
    /// - Throws: `notSameStream` if a missing unit is not in the plan; then nothing changes. Of a recording, only the
    ///   renditions must be there; segments that are no longer listed keep their addresses.
    package func relink(
        _ token: AssetToken, _ plan: DownloadPlan, through link: FreshLink, at now: Timestamp
    ) throws(StoreError) {
        let renditions = try catalog.renditions.all(of: [token])[token] ?? []
        let states = link.isOfRecording ? try catalog.recordings.recordedStates(of: token) : [:]
        try write(.asset(token)) { session in
            guard try Self.isWanted(from: link.former, token, session) else { return }
            for rendition in renditions
            where rendition.hasPlaylist && rendition.sourceFile == nil && !link.others.contains(rendition.id)
            {
                let planned = plan.rendition(like: rendition)
                let isWhole =
                    if link.isOfRecording {
                        try Self.relink(
                            rendition, states[rendition.name], planned: planned, of: token, session: session
                        )
                    } else {
                        try Self.relink(
                            rendition, planned?.listedUnits ?? [],
                            alsoStored: link.former == nil && rendition.isComplete,
                            session: session)
                    }
                // Units that were given up may be missing there, too.
                guard isWhole || rendition.failure != nil else {
                    throw StoreError(.notSameStream(rendition.name))
                }
            }
            if link.isOfRecording { try Self.takeVariables(of: plan, token, session) }
            try session.execute(
                "UPDATE asset SET source_url = ?, access = ?, redirects = ? WHERE token = ?",
                [
                    try session.seal.sealed(address: link.url), link.access,
                    try JSONText.encode(link.redirects), token.description,
                ])
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed))
        }
    }

    /// Stores the access to an asset's origin, sealed; also in the request of an asset that is not resolved yet.
    package func setAccess(of token: AssetToken, _ access: [UInt8]?, request: [UInt8]?) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute("UPDATE asset SET access = ? WHERE token = ?", [access, token.description])
            guard let request else { return }
            try session.execute(
                "UPDATE request SET sealed = ? WHERE asset = ?", [request, token.description])
        }
    }

    /// Whether a requested fresh address is still wanted: changes by the user take precedence.
    ///
    /// - Parameter former: the asset's address at the time of the request; `nil` if the user gave the address.
    package static func isWanted(
        from former: String?, _ token: AssetToken, _ session: any SQLSession
    ) throws -> Bool {
        guard let former else { return true }
        return try session.hasRow(
            "SELECT 1 FROM asset WHERE token = ? AND state = 'queued' AND reason = ? AND source_url = ?",
            [token.description, StateReason.link.rawValue, try session.seal.sealed(address: former)])
    }

    /// - Parameter alsoStored: whether stored units get their new addresses, too, since they may be lost later.
    /// - Returns: whether all missing units have new addresses.
    private static func relink(
        _ rendition: RenditionRecord, _ units: [UnitRecord], alsoStored: Bool, session: any SQLSession
    ) throws -> Bool {
        let missing: Int? = try session.value(
            "SELECT count(*) FROM unit WHERE rendition = ? AND state IN (0, 3)", [rendition.id])
        func readdress(_ states: String) throws -> Int {
            let statement = try session.prepare(
                """
                UPDATE unit SET url = ?
                WHERE rendition = ? AND kind = ? AND number = ? AND state IN (\(states))
                    AND range_offset IS NOT DISTINCT FROM ? AND range_length IS NOT DISTINCT FROM ?
                """)
            return try units.reduce(0) { found, unit in
                found
                    + (try statement.execute([
                        try session.seal.sealed(address: unit.url), rendition.id, unit.kind.rawValue,
                        unit.number, unit.range.map { Int64(clamping: $0.offset) },
                        unit.range.map { Int64(clamping: $0.length) },
                    ]))
            }
        }
        if alsoStored { _ = try readdress("1, 2") }
        return try readdress("0, 3") == missing
    }
}

// MARK: - Recordings

extension AddressTable {
    /// Later playlists import the variables (EXT-X-DEFINE) of the fresh multivariant playlist; recorded parts name
    /// none. Whole playlists with variables, as in stores of earlier versions, keep the former ones. Session data,
    /// which are identified by their positions, are kept if their positions are unchanged.
    private static func takeVariables(
        of plan: DownloadPlan, _ token: AssetToken, _ session: any SQLSession
    ) throws {
        guard let main = plan.sources.first(where: \.rendition.isEmpty) else { return }
        let sessionData = try SessionDataTable.listedSessionData(of: token, session)
        let others = try session.rows(
            """
            SELECT body FROM source_playlist WHERE asset = ?1 AND rendition != ''
                AND rendition NOT IN (SELECT rendition FROM recorded_rendition WHERE asset = ?1)
            """, [token.description]
        ) { $0[0] as [UInt8] }
        guard !others.contains(where: { $0.firstRange(of: Array("#EXT-X-DEFINE".utf8)) != nil }) else {
            return
        }
        try session.execute(
            "UPDATE source_playlist SET url = ?, body = ? WHERE asset = ? AND rendition = ''",
            [
                try session.seal.sealed(address: main.url), try session.seal.sealed(playlist: main.body),
                token.description,
            ])
        try SessionDataTable.dropSessionData(listedOtherwiseThan: sessionData, of: token, session)
    }

    /// - Returns: whether the stream has the rendition, or may lack it.
    private static func relink(
        _ rendition: RenditionRecord, _ state: PlannedRecording.State?, planned: PlannedRendition?,
        of token: AssetToken, session: any SQLSession
    ) throws -> Bool {
        guard let planned, planned.stream.playlist != nil else { return !rendition.required }
        // Only the base changes: recorded parts have absolute addresses.
        if state != nil {
            try session.execute(
                "UPDATE source_playlist SET url = ? WHERE asset = ? AND rendition = ?",
                [try session.seal.sealed(address: planned.stream.url), token.description, rendition.name])
        }
        let missing = try session.rows(
            "SELECT * FROM unit WHERE rendition = ? AND state IN (0, 3)", [rendition.id], as: UnitRecord.init)
        let addresses = FreshAddresses(planned.units, numbersAhead: state?.shift ?? 0)
        let statement = try session.prepare(
            "UPDATE unit SET url = ? WHERE rendition = ? AND kind = ? AND number = ?")
        for unit in missing {
            guard let url = addresses.url(of: unit) else { continue }
            try statement.execute([
                try session.seal.sealed(address: url), rendition.id, unit.kind.rawValue, unit.number,
            ])
        }
        return true
    }
}

/// The addresses of recorded units in the present stream. Of several similar ones the first counts.
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
    /// Initialization sections have numbers of the recording's own, and are identified by name.
    private var sections: [Name: String] = [:]

    /// - Parameters:
    ///   - units: the units that the stream lists.
    ///   - numbersAhead: the difference of the recording's numbers and the stream's.
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
