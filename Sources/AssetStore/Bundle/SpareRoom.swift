internal import SystemPackage

/// Room that the file system keeps for the store itself: with it an engine starts, and deletes what it is told to, when
/// nothing else is left. It is that of an empty file.
enum SpareRoom {
    /// More than the catalog's log takes of it.
    static let size = 2 * Catalog.reserve

    /// Has room kept, where there is some.
    static func keep(_ path: FilePath) {
        if FileSystem.facts(path) == nil { try? DurableWrite.write([], to: path) }
        FileSystem.keepRoom(for: path, size)
    }

    /// Opens something, giving up the room when it can't be done without.
    static func opening<Value>(
        _ path: FilePath, _ open: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try open()
        } catch {
            switch error.code {
            case .diskFull, .database: break
            default: throw error
            }
            guard FileSystem.facts(path) != nil else { throw error }
            try FileSystem.unlink(path)
            return try open()
        }
    }
}
