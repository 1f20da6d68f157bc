internal import Glibc
internal import SystemPackage

/// A folder held open, so that looking at each of its files costs one short call.
final class OpenFolder: Sendable {
    private let descriptor: Int32

    /// Opens a folder; `nil` when there is none.
    init?(_ path: FilePath) {
        descriptor = unsafe open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The size in bytes of a regular file of this folder; `nil` when there is none, or something else.
    func size(ofFile name: String) -> UInt64? {
        var info = stat()
        guard unsafe fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
            info.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return UInt64(max(0, info.st_size))
    }
}
