package import SystemPackage

extension ServedMediaPlaylist {
    /// Whether the file is there and goes to the end; players take one that is cut off for a live stream.
    package static func isWhole(_ path: FilePath) -> Bool {
        do throws(StoreError) {
            return try goesToEnd(path)
        } catch {
            // What can't be opened for a while says nothing of the file.
            if case .tooManyFiles = error.code { return true }
            return false
        }
    }

    /// Whether a playlist file has its end, for files that can be read.
    ///
    /// - Throws: why nobody can tell now.
    package static func goesToEnd(_ path: FilePath) throws(StoreError) -> Bool {
        guard let facts = FileSystem.facts(path) else {
            guard FileSystem.isAbsent(path) else { throw .system(.read, path, reason: .ioError) }
            return false
        }
        guard facts.isRegular, facts.size > end.count else { return false }
        let range = ClosedOffsetRange(offset: facts.size - UInt64(end.count), length: UInt64(end.count))
        return try FilePieces.bytes(path, range) == end
    }
}
