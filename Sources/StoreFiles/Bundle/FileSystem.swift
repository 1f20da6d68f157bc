package import Glibc
package import SystemPackage

/// The few file operations that the store uses; every error names the operation and the path.
package enum FileSystem {
    /// The facts of a stored file that the cheap check compares.
    package struct FileFacts: Equatable {
        package var size: UInt64
        package var isRegular: Bool
    }

    /// Facts about the file itself, not about a symbolic link's target; `nil` if it does not exist or can't be read.
    package static func facts(_ path: FilePath) -> FileFacts? {
        var info = stat()
        guard unsafe lstat(path.string, &info) == 0 else { return nil }
        return FileFacts(size: UInt64(max(0, info.st_size)), isRegular: info.st_mode & S_IFMT == S_IFREG)
    }

    /// The modification time of a regular file, in seconds after 1970 began, and its size; `nil` for other files.
    package static func age(ofFile path: FilePath) -> (written: Int64, size: UInt64)? {
        var info = stat()
        guard unsafe lstat(path.string, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(info.st_mtim.tv_sec), UInt64(max(0, info.st_size)))
    }

    /// The size of a regular file; `nil` if there is none.
    ///
    /// - Throws: the error of a file that can't be checked.
    package static func size(ofFile path: FilePath) throws(StoreError) -> UInt64? {
        guard let facts = facts(path) else {
            guard let errno = obstacle(to: path) else { return nil }
            throw .system(.read, path, reason: Errno(rawValue: errno))
        }
        return facts.isRegular ? facts.size : nil
    }

    /// Whether a path does not exist, not even as a dangling link; false if this can't be found out.
    package static func isAbsent(_ path: FilePath) -> Bool {
        var info = stat()
        return unsafe lstat(path.string, &info) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether its group or everybody may read a file; symbolic links are followed.
    package static func isOpenToOthers(_ path: FilePath) -> Bool {
        var info = stat()
        return unsafe stat(path.string, &info) == 0 && info.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// The time at which a folder last changed; `nil` if it does not exist.
    package static func folderTime(_ path: FilePath) -> FolderTime? {
        var info = stat()
        guard unsafe lstat(path.string, &info) == 0 else { return nil }
        let seconds = Int64(info.st_mtim.tv_sec)
        return FolderTime(nanoseconds: seconds &* 1_000_000_000 &+ Int64(info.st_mtim.tv_nsec))
    }

    /// Makes a folder and those above it, durably. By default only their owner may read them.
    package static func makeDirectory(_ path: FilePath, mode: mode_t = 0o700) throws(StoreError) {
        if unsafe mkdir(path.string, mode) == 0 { return syncParent(of: path) }
        if errno == EEXIST { return try requireDirectory(path) }
        guard errno == ENOENT, path.components.count > 1 else { throw .system(.makeDirectory, path) }
        try makeDirectory(path.parent, mode: mode)
        guard unsafe mkdir(path.string, mode) == 0 || errno == EEXIST else {
            throw .system(.makeDirectory, path)
        }
        syncParent(of: path)
    }

    /// Flushes the parent folder if it may be read.
    private static func syncParent(of path: FilePath) {
        let parent = path.parent
        try? syncDirectory(parent.isEmpty ? "." : parent)
    }

    private static func requireDirectory(_ path: FilePath) throws(StoreError) {
        var info = stat()
        guard unsafe stat(path.string, &info) == 0 else { throw .system(.makeDirectory, path) }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            throw .system(.makeDirectory, path, reason: .notDirectory)
        }
    }

    /// Whether a path is a folder; symbolic links are followed.
    package static func isDirectory(_ path: FilePath) -> Bool {
        var info = stat()
        return unsafe stat(path.string, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path exists; symbolic links are followed.
    package static func isThere(_ path: FilePath) -> Bool {
        var info = stat()
        return unsafe stat(path.string, &info) == 0
    }

    /// The `errno` with which a check of a path's existence fails; `nil` if it is known whether the path exists.
    package static func obstacle(to path: FilePath) -> Int32? {
        var info = stat()
        guard unsafe stat(path.string, &info) != 0, errno != ENOENT, errno != ENOTDIR else { return nil }
        return errno
    }

    /// The path without symbolic links; `nil` if it does not exist.
    package static func realPath(_ path: FilePath) -> FilePath? {
        guard let text = unsafe realpath(path.string, nil) else { return nil }
        defer { unsafe free(text) }
        return FilePath(unsafe String(cString: text))
    }

    /// Whether a folder can be listed and its files can be checked.
    package static func isReadable(folder: FilePath) -> Bool {
        unsafe access(folder.string, R_OK | X_OK) == 0
    }

    /// Whether files can be made in a folder.
    package static func isWritable(_ path: FilePath) -> Bool { unsafe access(path.string, W_OK | X_OK) == 0 }

    /// The error that a file can't be read and written, or that no file can be made in a folder; `nil` without one.
    package static func refusal(of path: FilePath, forFolder isFolder: Bool) -> Errno? {
        let mode = isFolder ? W_OK | X_OK : R_OK | W_OK
        return unsafe access(path.string, mode) == 0 ? nil : Errno(rawValue: errno)
    }

    /// Whether no further file can be opened now, because of the limit of the process or of the machine.
    package static var isAtFileLimit: Bool {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return close(descriptor) < 0 }
        return errno == EMFILE || errno == ENFILE
    }

    /// Makes an empty file with the owner's permissions only, durably. An existing file stays.
    package static func makeFile(_ path: FilePath) throws(StoreError) {
        let descriptor = unsafe open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw .system(.create, path)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(.synchronize, path) }
        try syncDirectory(path.parent)
    }

    package static func rename(_ from: FilePath, to: FilePath) throws(StoreError) {
        guard unsafe Glibc.rename(from.string, to.string) == 0 else { throw .system(.rename, from) }
    }

    /// Gives a file an additional name, unless that name exists. On a file system without hard links the file is
    /// moved.
    ///
    /// - Returns: whether it still has its old name.
    package static func link(_ from: FilePath, to: FilePath) throws(StoreError) -> Bool {
        guard unsafe Glibc.link(from.string, to.string) != 0, errno != EEXIST else { return true }
        guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { throw .system(.create, to) }
        guard isAbsent(to) else { return true }
        try rename(from, to: to)
        return false
    }

    /// Deletes a file; a missing file is no error.
    package static func unlink(_ path: FilePath) throws(StoreError) {
        guard unsafe Glibc.unlink(path.string) == 0 || errno == ENOENT else { throw .system(.delete, path) }
    }

    /// Makes renames in a folder durable.
    package static func syncDirectory(_ path: FilePath) throws(StoreError) {
        try sync(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Flushes the bytes of a file that another process has written.
    package static func syncFile(_ path: FilePath) throws(StoreError) {
        try sync(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    }

    private static func sync(_ path: FilePath, _ flags: Int32) throws(StoreError) {
        let descriptor = unsafe Glibc.open(path.string, flags)
        guard descriptor >= 0 else { throw .system(.synchronize, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(.synchronize, path) }
    }

    /// The names in a folder, without `.` and `..`; empty when there is no such folder, or it can't be listed.
    package static func names(in path: FilePath) -> [String] { (try? contents(of: path)) ?? [] }

    /// The names in a folder, without `.` and `..`.
    ///
    /// - Parameter operation: the purpose, for errors.
    /// - Throws: the error of a folder that can't be listed completely, or does not exist.
    package static func contents(
        of path: FilePath, for operation: FileOperation = .read
    ) throws(StoreError) -> [String] {
        guard let stream = unsafe opendir(path.string) else { throw .system(operation, path) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(operation, path) }
        return names
    }

    /// Bytes that a user without special rights may still write on the file system of `path`, and its size.
    package static func space(at path: FilePath) -> (free: UInt64, total: UInt64)? {
        var info = statvfs()
        guard unsafe statvfs(path.string, &info) == 0 else { return nil }
        let block = UInt64(info.f_frsize)
        return (UInt64(info.f_bavail) * block, UInt64(info.f_blocks) * block)
    }

    /// Bytes that a user without special rights may still write on the file system of `path`.
    package static func freeSpace(at path: FilePath) -> UInt64? {
        var info = statvfs()
        guard unsafe statvfs(path.string, &info) == 0 else { return nil }
        return UInt64(info.f_bavail) * UInt64(info.f_frsize)
    }

    /// Bytes of all files in a folder, or of a file, following no links.
    package static func treeSize(_ path: FilePath) -> UInt64 {
        var info = stat()
        guard unsafe lstat(path.string, &info) == 0 else { return 0 }
        guard info.st_mode & S_IFMT == S_IFDIR else { return UInt64(max(0, info.st_size)) }
        return names(in: path).reduce(0) { $0 + treeSize(path.appending($1)) }
    }

    /// Deletes a folder with its content without following links; a missing folder is no error.
    package static func removeTree(_ path: FilePath) throws(StoreError) {
        var info = stat()
        guard unsafe lstat(path.string, &info) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw .system(.delete, path)
        }
        guard info.st_mode & S_IFMT == S_IFDIR else { return try unlink(path) }
        do throws(StoreError) {
            for name in try contents(of: path, for: .delete) { try removeTree(path.appending(name)) }
        } catch {
            // An empty folder need not be readable.
            guard unsafe rmdir(path.string) == 0 || errno == ENOENT else { throw error }
            return
        }
        guard unsafe rmdir(path.string) == 0 || errno == ENOENT else { throw .system(.delete, path) }
    }

    /// Reserves space so that a file can grow to `size` bytes, if the file system supports that.
    ///
    /// - Returns: false if the space does not suffice.
    @discardableResult
    package static func keepRoom(for path: FilePath, _ size: Int) -> Bool {
        let descriptor = unsafe open(path.string, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // fallocate(2) is a GNU extension, which the module Glibc lacks. Without it, only the preallocation is lost.
        guard let symbol = unsafe dlsym(nil, "fallocate") else { return true }
        let fallocate = unsafe unsafeBitCast(symbol, to: Allocation.self)
        return fallocate(descriptor, keepsSize, 0, off_t(size)) == 0 || (errno != ENOSPC && errno != EDQUOT)
    }

    private typealias Allocation = @convention(c) (Int32, Int32, off_t, off_t) -> Int32
    /// `FALLOC_FL_KEEP_SIZE`.
    private static let keepsSize: Int32 = 1

    /// Has the kernel begin to write bytes of a file to the disk, so that a flush of the whole file later takes less time.
    /// Does not wait for the disk, and promises nothing.
    package static func beginFlush(_ descriptor: Int32, _ range: Range<UInt64>) {
        // sync_file_range(2) is a GNU extension, which the module Glibc lacks.
        guard let symbol = unsafe dlsym(nil, "sync_file_range") else { return }
        let synchronize = unsafe unsafeBitCast(symbol, to: Synchronization.self)
        _ = synchronize(descriptor, off_t(range.lowerBound), off_t(range.count), writes)
    }

    private typealias Synchronization = @convention(c) (Int32, off_t, off_t, UInt32) -> Int32
    /// `SYNC_FILE_RANGE_WRITE`.
    private static let writes: UInt32 = 2
}
