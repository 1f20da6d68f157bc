/// The samples of stored segments without their bytes, encoded: files of whole assets are laid out from them.
package struct SampleIndexTable: CatalogTable {
    package let catalog: Catalog

    /// The indexes of a rendition's segments, by number, if they were made of its present content.
    ///
    /// - Parameter revision: identifies the rendition's content.
    package func all(ofRendition id: Int64, revision: [UInt8]) throws(StoreError) -> [Int: [UInt8]] {
        try read { session in
            var indexes: [Int: [UInt8]] = [:]
            try session.each(
                "SELECT number, data FROM sample_index WHERE rendition = ? AND revision = ?", [id, revision]
            ) { indexes[$0[0]] = $0[1] as [UInt8] }
            return indexes
        }
    }

    /// Enters indexes, and deletes those of other content. Nothing is entered for a rendition that was removed.
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
