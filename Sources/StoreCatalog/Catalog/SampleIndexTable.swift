/// The samples of stored segments without their bytes, encoded: files of whole assets are laid out from them.
package struct SampleIndexTable: CatalogTable {
    package let catalog: Catalog

    /// The indexes of a rendition's segments, by their numbers, as far as they were made of what it is now.
    ///
    /// - Parameter revision: names what the rendition consists of.
    package func all(ofRendition id: Int64, revision: [UInt8]) throws(StoreError) -> [Int: [UInt8]] {
        try read { session in
            var indexes: [Int: [UInt8]] = [:]
            try session.each(
                "SELECT number, data FROM sample_index WHERE rendition = ? AND revision = ?", [id, revision]
            ) { indexes[$0[0]] = $0[1] as [UInt8] }
            return indexes
        }
    }

    /// Enters indexes in the place of those that were made of something else. Of a rendition that is gone nothing is entered.
    package func enter(
        _ indexes: [Int: [UInt8]], ofRendition id: Int64, revision: [UInt8]
    ) throws(StoreError) {
        try write(.rendition(id)) { session in
            guard try session.hasRow("SELECT 1 FROM rendition WHERE id = ?", [id]) else { return }
            try session.execute(
                "DELETE FROM sample_index WHERE rendition = ? AND revision != ?", [id, revision])
            let statement = try session.prepare(Self.replace)
            for (number, bytes) in indexes {
                try statement.execute([id, number, revision, bytes])
            }
        }
    }

    private static let replace = SQLText.replacing(
        in: "sample_index", ["rendition", "number", "revision", "data"], key: 2)
}
