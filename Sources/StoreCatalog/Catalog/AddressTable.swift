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
                        try Self.relink(rendition, planned?.listedUnits ?? [], session: session)
                    }
                // What was given up may be missing there, too.
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

    /// Keeps how an asset's origin is asked, sealed; and with it the request of one that has not been looked into.
    package func setAccess(of token: AssetToken, _ access: [UInt8]?, request: [UInt8]?) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute("UPDATE asset SET access = ? WHERE token = ?", [access, token.description])
            guard let request else { return }
            try session.execute(
                "UPDATE request SET sealed = ? WHERE asset = ?", [request, token.description])
        }
    }

    /// Whether an address that was asked for is to be taken: what the user has done meanwhile stands.
    ///
    /// - Parameter former: where the asset came from when it was asked for; `nil` when it was not.
    package static func isWanted(
        from former: String?, _ token: AssetToken, _ session: any SQLSession
    ) throws -> Bool {
        guard let former else { return true }
        return try session.hasRow(
            "SELECT 1 FROM asset WHERE token = ? AND state = 'queued' AND reason = ? AND source_url = ?",
            [token.description, StateReason.link.rawValue, try session.seal.sealed(address: former)])
    }

    /// - Returns: whether everything that is missing has a new address.
    private static func relink(
        _ rendition: RenditionRecord, _ units: [UnitRecord], session: any SQLSession
    ) throws -> Bool {
        let missing: Int? = try session.value(
            "SELECT count(*) FROM unit WHERE rendition = ? AND state IN (0, 3)", [rendition.id])
        let statement = try session.prepare(
            """
            UPDATE unit SET url = ?
            WHERE rendition = ? AND kind = ? AND number = ? AND state IN (0, 3)
                AND range_offset IS NOT DISTINCT FROM ? AND range_length IS NOT DISTINCT FROM ?
            """)
        var found = 0
        for unit in units {
            found += try statement.execute([
                try session.seal.sealed(address: unit.url), rendition.id, unit.kind.rawValue, unit.number,
                unit.range.map { Int64(clamping: $0.offset) }, unit.range.map { Int64(clamping: $0.length) },
            ])
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

    /// - Returns: whether the stream has the rendition, or need not have it.
    private static func relink(
        _ rendition: RenditionRecord, _ state: PlannedRecording.State?, planned: PlannedRendition?,
        of token: AssetToken, session: any SQLSession
    ) throws -> Bool {
        guard let planned, planned.stream.playlist != nil else { return !rendition.required }
        // Only the base is another one: what was recorded has whole addresses.
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
