internal import Glibc
internal import HTTPDaemon

/// The facts that tell a file from another one of the same name, and from an earlier version.
struct FileIdentity: Equatable {
    private var device: UInt64
    private var inode: UInt64
    private var size: UInt64
    private var modified: Int64

    /// The identity of the file that has this name now; `nil` if there is none.
    init?(path: String) {
        var info = stat()
        guard unsafe lstat(path, &info) == 0 else { return nil }
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        size = UInt64(max(0, info.st_size))
        modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }

    /// The identity of the file at the time when it was mapped.
    init(_ file: MappedFile) {
        device = file.identity.device
        inode = file.identity.inode
        size = file.size
        modified = file.modified
    }
}

/// A time of the monotonic clock, in seconds.
struct MonotonicSeconds: Comparable {
    var value: Double

    static var now: MonotonicSeconds {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicSeconds(value: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
