package import SystemPackage

/// Space that the store reserves on the file system: with it an engine starts on a full disk, and deletes what it is
/// told to delete. It is the allocated space of an empty file.
package enum SpareRoom {
    /// More than the catalog's log takes of it.
    package static let size = 2 * WriteAheadLog.reserve

    /// Has room kept, where there is some.
    package static func keep(_ path: FilePath) {
        try? FileSystem.makeFile(path)
        FileSystem.keepRoom(for: path, size)
    }

    /// Reserves space for a file, and releases the spare room if there is no other.
    package static func give(_ path: FilePath, to file: FilePath, _ size: Int) {
        guard !FileSystem.keepRoom(for: file, size) else { return }
        try? FileSystem.unlink(path)
        FileSystem.keepRoom(for: file, size)
    }

    /// Runs an operation, and releases the spare room if it fails without.
    package static func using<Value>(
        _ path: FilePath, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            switch error.code {
            case .diskFull, .database: break
            default: throw error
            }
            guard FileSystem.facts(path) != nil else { throw error }
            try FileSystem.unlink(path)
            return try body()
        }
    }
}
