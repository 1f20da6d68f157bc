package import SystemPackage

/// Room that the file system keeps for the store itself: with it an engine starts, and deletes what it is told to, when
/// nothing else is left. It is that of an empty file.
package enum SpareRoom {
    /// More than the catalog's log takes of it.
    package static let size = 2 * WriteAheadLog.reserve

    /// Has room kept, where there is some.
    package static func keep(_ path: FilePath) {
        try? FileSystem.makeFile(path)
        FileSystem.keepRoom(for: path, size)
    }

    /// Has room kept for a file, giving up the other where there is none.
    package static func give(_ path: FilePath, to file: FilePath, _ size: Int) {
        guard !FileSystem.keepRoom(for: file, size) else { return }
        try? FileSystem.unlink(path)
        FileSystem.keepRoom(for: file, size)
    }

    /// Does something, giving up the room when it can't be done without.
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
