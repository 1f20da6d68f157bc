internal import Glibc
package import SystemPackage

/// A temporary file that will replace another one beside it. Its lock keeps other writers away, in this process and
/// others; the file of a killed process has no lock, and is overwritten.
package struct TemporaryFile {
    package let path: FilePath
    private let descriptor: Int32
    private static let mostAtOnce = 1000

    /// Opens a temporary file under the first free name.
    package init(beside file: FilePath, mode: UInt32) throws(StoreError) {
        let (folder, name) = (file.parent, file.name)
        for number in 1...Self.mostAtOnce {
            let path = folder.appending(number == 1 ? ".\(name).tmp" : ".\(name).\(number).tmp")
            guard let descriptor = try Self.open(path, mode) else { continue }
            (self.path, self.descriptor) = (path, descriptor)
            return
        }
        throw .system(.create, file, reason: .resourceBusy)
    }

    /// Deletes the temporary file that a writer left behind beside a file: it was killed, or the disk refused to delete
    /// it. The file of a writer that is at work stays.
    package static func removeLeftover(beside file: FilePath) {
        removeLeftover(at: file.parent.appending(".\(file.name).tmp"))
    }

    /// Deletes a temporary file, unless its writer is at work.
    static func removeLeftover(at path: FilePath) {
        let descriptor = unsafe Glibc.open(path.string, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        if isOwn(descriptor, path) { _ = unsafe unlink(path.string) }
        Glibc.close(descriptor)
    }

    /// - Returns: `nil` if another writer has the name.
    private static func open(_ path: FilePath, _ mode: UInt32) throws(StoreError) -> Int32? {
        let descriptor = unsafe Glibc.open(path.string, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .system(.create, path) }
        guard isOwn(descriptor, path) else {
            Glibc.close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether an open file is still the one of this name, and no other writer has it.
    package static func isOwn(_ descriptor: Int32, _ path: FilePath) -> Bool {
        // If the file system does not support locks, other writers are not expected.
        if let reason = StoreLock.refusal(toLock: descriptor), reason == EAGAIN || reason == EACCES {
            return false
        }
        var (opened, there) = (stat(), stat())
        // The former writer may have renamed it before the lock was free.
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path.string, &there) == 0,
            opened.st_dev == there.st_dev, opened.st_ino == there.st_ino
        else { return false }
        guard opened.st_nlink > 1 else { return true }
        // A process was killed while it put the file in its place: the file has two names. Only the temporary one is
        // deleted.
        _ = unsafe unlink(path.string)
        return false
    }

    /// Writes the whole content and makes it durable.
    package func write(_ bytes: [UInt8]) throws(StoreError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .system(.write, path) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .system(.write, path) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw .system(.synchronize, path) }
    }

    /// Closes the file and so releases its lock. The file must have been renamed or deleted before.
    package func close() { Glibc.close(descriptor) }
}
