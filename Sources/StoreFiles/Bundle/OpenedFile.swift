internal import Glibc
package import SystemPackage

/// A complete file that is open for reading, at any position and on any thread.
package final class OpenedFile: Sendable {
    /// Open until this object is gone.
    package let descriptor: Int32
    private let path: FilePath
    /// Its length in bytes when it was opened.
    package let size: Int

    package init(_ path: FilePath) throws(StoreError) {
        let descriptor = unsafe open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(.open, path) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .system(.open, path)
        }
        (self.descriptor, self.path, size) = (descriptor, path, Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// Asks the system to read the whole file into its cache, so that later reads do not wait for the disk.
    package func readAhead() { _ = posix_fadvise(descriptor, 0, off_t(size), POSIX_FADV_WILLNEED) }

    /// At most `count` bytes from `offset` on; empty at the end.
    package func bytes(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        var failure = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while true {
                let got = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
                if got < 0 && errno == EINTR { continue }
                (failure, filled) = (got < 0, max(0, got))
                return
            }
        }
        guard !failure else { throw .system(.read, path) }
        return bytes
    }
}
