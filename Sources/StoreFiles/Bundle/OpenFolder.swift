internal import Glibc
package import SystemPackage

/// An open folder, in which the check of a file costs one short system call.
package final class OpenFolder: Sendable {
    private let path: FilePath
    private let descriptor: Int32

    /// Opens a folder; `nil` if it does not exist.
    ///
    /// - Throws: the error of a folder that can't be opened.
    package init?(_ path: FilePath) throws(StoreError) {
        self.path = path
        descriptor = unsafe open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor < 0 else { return }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(.open, path) }
        return nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The size in bytes of a regular file of this folder; `nil` if there is none.
    ///
    /// - Throws: the error of a file that can't be checked.
    package func size(ofFile name: String) throws(StoreError) -> UInt64? {
        var info = stat()
        guard unsafe fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
            let reason = Errno(rawValue: errno)
            guard reason == .noSuchFileOrDirectory else {
                throw .system(.read, path.appending(name), reason: reason)
            }
            return nil
        }
        return info.st_mode & S_IFMT == S_IFREG ? UInt64(max(0, info.st_size)) : nil
    }
}
