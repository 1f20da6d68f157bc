internal import Crypto
internal import Glibc
package import SystemPackage

/// Reads files from beginning to end, in pieces that fit into memory.
package enum FilePieces {
    package static let size = 1 << 20

    /// Reads a file, or a range of it, piece by piece.
    package static func read(
        _ path: FilePath, _ range: ClosedOffsetRange? = nil, followingLinks: Bool = true,
        body: (RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path.string, flags)
        guard descriptor >= 0 else { throw .system(.open, path) }
        defer { close(descriptor) }
        var piece = [UInt8](repeating: 0, count: Int(min(UInt64(size), range?.length ?? .max)))
        var offset = range?.offset ?? 0
        let end = range.map { $0.offset + $0.length } ?? .max
        while offset < end {
            let wanted = Int(min(UInt64(piece.count), end - offset))
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system(.read, path) }
            if count == 0 { return }
            try unsafe body(piece.span.bytes.extracting(first: count))
            offset += UInt64(count)
        }
    }

    /// All of `count` bytes of an open file.
    ///
    /// - Throws: `file` if they can't be read, or if the file ends before, which is EIO.
    static func all(_ count: Int, of descriptor: Int32, at offset: Int, _ path: FilePath) throws(StoreError)
        -> [UInt8]
    {
        var got = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe got = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            filled = max(0, got)
        }
        guard got >= 0 else { throw .system(.read, path) }
        // A file that ends too early sets no errno.
        guard got == count else { throw .system(.read, path, reason: .ioError) }
        return bytes
    }

    /// The bytes of a range of a file, fewer where it ends before.
    package static func bytes(_ path: FilePath, _ range: ClosedOffsetRange) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(path, range, followingLinks: false) { piece throws(StoreError) in
            unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// SHA-256 of a file's bytes.
    package static func sha256(of path: FilePath) throws(StoreError) -> [UInt8] {
        var hash = SHA256()
        try read(path, followingLinks: false) { piece throws(StoreError) in
            unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        }
        return Array(hash.finalize())
    }

    /// Copies a file to a new name, durably.
    package static func copy(_ source: FilePath, to target: FilePath) throws(StoreError) {
        let copy = unsafe open(target.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard copy >= 0 else { throw .system(.create, target) }
        defer { close(copy) }
        try read(source, followingLinks: false) { piece throws(StoreError) in
            var done = 0
            while done < piece.byteCount {
                let count = unsafe piece.withUnsafeBytes { buffer in
                    unsafe write(copy, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw .system(.write, target) }
                done += count
            }
        }
        guard fsync(copy) == 0 else { throw .system(.synchronize, target) }
    }
}
