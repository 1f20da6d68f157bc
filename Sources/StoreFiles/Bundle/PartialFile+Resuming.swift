internal import Crypto
internal import Glibc
package import SystemPackage

extension PartialFile {
    /// Opens the file of an earlier transfer, or makes an empty file.
    ///
    /// - Returns: the version of its bytes; `nil` for an empty file.
    package func prepare() throws(StoreError) -> Validator? {
        guard let head = PartHead(of: path), head.validator.ifRange != nil, try takeUp(head) else {
            try? FileSystem.unlink(PartHead.path(of: path))
            try create()
            return nil
        }
        return head.validator
    }

    /// Opens the file and hashes its bytes. The result is false if they can't be resumed.
    private func takeUp(_ head: PartHead) throws(StoreError) -> Bool {
        guard let facts = FileSystem.facts(path), facts.isRegular, facts.size > 0,
            facts.size <= head.length ?? .max
        else { return false }
        var hash = SHA256()
        var count: UInt64 = 0
        var start: [UInt8] = []
        try FilePieces.read(path, followingLinks: false) { piece throws(StoreError) in
            if count == 0 { start = MediaHead.head(of: piece) }
            unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
            count += UInt64(piece.byteCount)
        }
        let descriptor = unsafe Glibc.open(path.string, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 || ![EMFILE, ENFILE].contains(errno) else { throw .system(.open, path) }
        guard descriptor >= 0, count == facts.size else { return false }
        if MediaHead.mayHideMedia(start) { veil() }
        begin(with: descriptor, watermark: count, hash: hash, head: head)
        return true
    }

    /// Deletes the partial files in a folder, except those with these names, and temporary files that nobody writes.
    package static func removeOrphans(in folder: FilePath, except wanted: Set<String>) {
        for name in FileSystem.names(in: folder) where name.hasPrefix(".") {
            if name.hasSuffix(".tmp") { TemporaryFile.removeLeftover(at: folder.appending(name)) }
            let beside = [".head", FileRewriting.suffix].first { name.hasSuffix(".part\($0)") }
            let part = String(name.dropLast(beside?.count ?? 0))
            // Rewritten content is made anew, never resumed.
            let isWanted = wanted.contains(part) && beside != FileRewriting.suffix
            guard part.hasSuffix(".part"), !isWanted else { continue }
            try? FileSystem.unlink(folder.appending(name))
        }
    }
}
