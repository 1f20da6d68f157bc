internal import FoundationEssentials
internal import GRDB

/// The samples of stored segments without their bytes, encoded: files of whole assets are laid out from them.
package struct SampleIndexTable: CatalogTable {
    package let catalog: Catalog

    /// The indexes of a rendition's segments, by their numbers, as far as they were made of what it is now.
    ///
    /// - Parameter revision: names what the rendition consists of.
    package func all(ofRendition id: Int64, revision: [UInt8]) throws(StoreError) -> [Int: [UInt8]] {
        try read { database in
            let rows = try Row.fetchCursor(
                try database.cachedStatement(
                    sql: "SELECT number, data FROM sample_index WHERE rendition = ? AND revision = ?"),
                arguments: [id, Data(revision)])
            var indexes: [Int: [UInt8]] = [:]
            while let row = try rows.next() { indexes[row[0]] = [UInt8](row[1] as Data) }
            return indexes
        }
    }

    /// Enters indexes in the place of those that were made of something else. Of a rendition that is gone nothing is entered.
    package func enter(
        _ indexes: [Int: [UInt8]], ofRendition id: Int64, revision: [UInt8]
    ) throws(StoreError) {
        try write { database in
            guard
                try Row.fetchOne(database, sql: "SELECT 1 FROM rendition WHERE id = ?", arguments: [id])
                    != nil
            else { return }
            try database.execute(
                sql: "DELETE FROM sample_index WHERE rendition = ? AND revision != ?",
                arguments: [id, Data(revision)])
            let statement = try database.cachedStatement(
                sql:
                    "INSERT OR REPLACE INTO sample_index (rendition, number, revision, data) VALUES (?, ?, ?, ?)"
            )
            for (number, bytes) in indexes {
                try statement.execute(arguments: [id, number, Data(revision), Data(bytes)])
            }
        }
    }
}
