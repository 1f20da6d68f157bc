package import Crypto
internal import Glibc
internal import MediaContainers
package import SystemPackage

/// New content for a partial file. It is written to a file beside the partial file, and then replaces its content.
package final class FileRewriting {
    package let path: FilePath
    package let descriptor: Int32
    package private(set) var count = 0
    package private(set) var hash = SHA256()
    /// The largest size of the content in bytes.
    package let limit: Int

    package static let suffix = ".new"

    /// - Parameter limit: bytes that it may have.
    package init(of path: FilePath, limit: Int) throws(StoreError) {
        self.path = FilePath(path.string + Self.suffix)
        self.limit = limit
        descriptor = unsafe open(self.path.string, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(.create, self.path) }
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                    off_t(count + done))
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw .system(.write, path) }
            done += written
        }
        count += bytes.count
        hash.update(data: bytes)
    }

    /// Deletes the file of the new content.
    package func discard() { try? FileSystem.unlink(path) }
}

extension FileRewriting: MediaBytes {
    package func read(at offset: Int, count wanted: Int) throws(StoreError) -> [UInt8] {
        guard offset >= 0, offset < count else { return [] }
        return try FilePieces.all(min(wanted, count - offset), of: descriptor, at: offset, path)
    }
}
