package import SystemPackage

extension ServedMediaPlaylist {
    /// Whether the file exists and is complete; players take a truncated playlist for a live stream.
    package static func isWhole(_ path: FilePath) -> Bool {
        do throws(StoreError) {
            return try goesToEnd(path)
        } catch {
            // A temporary lack of descriptors says nothing about the file.
            if case .tooManyFiles = error.code { return true }
            return false
        }
    }

    /// Whether a playlist file has its end tag, for files that can be read.
    ///
    /// - Throws: the error of a file that can't be read now.
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
