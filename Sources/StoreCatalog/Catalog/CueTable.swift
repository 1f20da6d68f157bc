/// A cue that a search has found.
package struct FoundCue: Sendable, Equatable {
    package var token: AssetToken
    /// The subtitle rendition's name in the asset.
    package var rendition: String
    package var language: String?
    /// Seconds of the presentation.
    package var start: Double
    package var text: String
}

/// The index of subtitle texts, which finds parts of words in every script. SQLite has a full-text index of groups of
/// three characters; PostgreSQL, which is used without extensions, searches the texts in lower case.
package struct CueTable: CatalogTable {
    package let catalog: Catalog

    /// The subtitle renditions that are complete, in the clear, and not in the index yet; the newest asset first.
    package func unindexed(limit: Int) throws(StoreError) -> [(token: AssetToken, rendition: String)] {
        try read { session in
            try session.rows(
                """
                SELECT asset, name \(Self.unindexed) ORDER BY asset DESC, position LIMIT ?
                """, [limit]
            ) { row in
                AssetToken(row[0] as String).map { (token: $0, rendition: row[1] as String) }
            }.compactMap(\.self)
        }
    }

    /// How many renditions are still to be indexed.
    package func unindexedCount() throws(StoreError) -> Int {
        try read { try $0.value("SELECT count(*) \(Self.unindexed)") as Int? ?? 0 }
    }

    private static let unindexed = """
        FROM rendition WHERE kind = 'subtitles' AND failure IS NULL AND segments > 0
            AND stored_segments = segments AND stored_initializations = initializations
            AND NOT EXISTS (SELECT 1 FROM unit WHERE unit.rendition = rendition.id AND encrypted != 0)
            AND NOT EXISTS (SELECT 1 FROM cue_track
                WHERE cue_track.asset = rendition.asset AND cue_track.rendition = rendition.name)
        """

    /// Enters the texts of a rendition.
    package func index(
        _ cues: [(start: Double, text: String)], of token: AssetToken, _ rendition: String, language: String?
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            let name: SQLArguments = [token.description, rendition]
            // The asset may have been removed in the meantime.
            guard try session.hasRow("SELECT 1 FROM rendition WHERE asset = ? AND name = ?", name) else {
                return
            }
            try session.execute("DELETE FROM cue_track WHERE asset = ? AND rendition = ?", name)
            switch session.dialect {
            case .sqlite: try Self.insert(cues, of: name + [language], session)
            case .postgres: try Self.insertFolded(cues, of: name + [language], session)
            }
        }
    }

    /// The full-text index knows its rows by numbers: a track has a row of them.
    private static func insert(
        _ cues: [(start: Double, text: String)], of name: SQLArguments, _ session: any SQLSession
    ) throws {
        let first = (try session.value("SELECT max(last) FROM cue_track") as Int64? ?? 0) + 1
        let last = first + Int64(cues.count) - 1
        let track = try session.insert(
            "INSERT INTO cue_track (asset, rendition, language, first, last) VALUES (?, ?, ?, ?, ?)",
            name + [first, max(last, first)])
        let insert = try session.prepare("INSERT INTO cue (rowid, text, track, start) VALUES (?, ?, ?, ?)")
        for (offset, cue) in cues.enumerated() {
            try insert.execute([first + Int64(offset), cue.text, track, cue.start])
        }
    }

    private static func insertFolded(
        _ cues: [(start: Double, text: String)], of name: SQLArguments, _ session: any SQLSession
    ) throws {
        let track = try session.insert(
            "INSERT INTO cue_track (asset, rendition, language) VALUES (?, ?, ?)", name)
        let insert = try session.prepare(
            "INSERT INTO cue (track, number, start, text, folded) VALUES (?, ?, ?, ?, ?)")
        for (number, cue) in cues.enumerated() {
            try insert.execute([track, number, cue.start, cue.text, cue.text.lowercased()])
        }
    }

    /// Cues that contain a text, of the newest assets first; letters match in either case. Texts of less than three
    /// characters are looked for one by one.
    package func find(_ text: String, limit: Int) throws(StoreError) -> [FoundCue] {
        try read { session in
            let (condition, argument, order, isExact) = Self.condition(text, session.dialect)
            var found: [FoundCue] = []
            try session.prepare(
                """
                SELECT asset, cue_track.rendition, language, start, text
                FROM cue JOIN cue_track ON cue_track.id = track WHERE \(condition)
                ORDER BY asset DESC, \(order) LIMIT ?
                """
            ).visit([argument, isExact ? limit : Int.max]) { row in
                let cue = AssetToken(row[0] as String).map {
                    FoundCue(token: $0, rendition: row[1], language: row[2], start: row[3], text: row[4])
                }
                if let cue, isExact || cue.text.folds(text) { found.append(cue) }
                return found.count < limit
            }
            return found
        }
    }

    /// How to find a text, and whether what is found is sure to contain it. `LIKE` of SQLite compares letters beyond
    /// ASCII with their case, so that they are left open in its pattern.
    private static func condition(
        _ text: String, _ dialect: SQLDialect
    ) -> (sql: String, argument: String, order: String, isExact: Bool) {
        switch dialect {
        case .sqlite where text.unicodeScalars.count >= 3:
            ("cue MATCH ?", "\"\(text.replacing("\"", with: "\"\""))\"", "cue.rowid", true)
        case .sqlite: ("text LIKE ? ESCAPE '\\'", pattern(text, asciiOnly: true), "cue.rowid", text.isASCII)
        case .postgres: ("folded LIKE ? ESCAPE '\\'", pattern(text.lowercased()), "track, number", true)
        }
    }

    /// A pattern of `LIKE` for values that contain a text.
    ///
    /// - Parameter asciiOnly: whether any character may stand in place of each character beyond ASCII.
    private static func pattern(_ text: String, asciiOnly: Bool = false) -> String {
        let plain = text.unicodeScalars.map { scalar in
            if asciiOnly, !scalar.isASCII { return "_" }
            return ["\\", "%", "_"].contains(scalar) ? "\\\(scalar)" : "\(scalar)"
        }
        return "%\(plain.joined())%"
    }

    /// Assets whose name or one of whose tags contains a text, the newest first; letters match in either case.
    package func findAssets(
        _ text: String, limit: Int
    ) throws(StoreError) -> [(token: AssetToken, name: String, tags: [String])] {
        try read { session in
            // The databases fold ASCII letters only.
            let isExact = text.isASCII
            let pattern = Self.pattern(text.lowercased(), asciiOnly: true)
            var found: [(token: AssetToken, name: String, tags: [String])] = []
            try session.prepare(
                """
                SELECT token, name, tags FROM asset
                WHERE lower(name) LIKE ?1 ESCAPE '\\' OR lower(coalesce(tags, '')) LIKE ?1 ESCAPE '\\'
                ORDER BY token DESC LIMIT ?2
                """
            ).visit([pattern, isExact ? limit : Int.max]) { row in
                let (name, tags) = (row[1] as String, row[2] as String?)
                if let token = AssetToken(row[0] as String),
                    isExact || name.folds(text) || tags?.folds(text) == true
                {
                    let list = try tags.map { try JSONText.decode([String].self, $0) } ?? []
                    found.append((token, name, list))
                }
                return found.count < limit
            }
            return found
        }
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether it contains a text; letters match in either case.
    fileprivate func folds(_ text: String) -> Bool { lowercased().utf8.contains(text.lowercased().utf8) }
}
