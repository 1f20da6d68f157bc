package import SystemPackage

/// SQLite's write-ahead log.
package enum WriteAheadLog {
    /// The bytes that its file keeps: with them, assets can be paused and removed when the file system is full.
    package static let reserve = 8 << 20

    /// The log of the database at a path.
    package static func path(of database: FilePath) -> FilePath { FilePath(database.string + "-wal") }
}
