internal import Glibc
internal import Locking
public import SystemPackage

/// Writes small files so that after a crash there is either the old content or the whole new one.
public enum DurableWrite {
    /// Temporary files that are being written.
    private static let growing = Lock<Set<FilePath>>([])

    /// Writes `bytes` under a temporary name beside `path`, makes them durable, then renames. Several may write to one
    /// path at once: the last one counts.
    ///
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: a file of a folder that is there.
    ///   - mode: permissions of a new file; nobody but the owner by default.
    /// - Throws: `diskFull` or `system`; the old content is there then.
    public static func write(_ bytes: [UInt8], to path: FilePath, mode: UInt32 = 0o600) throws(StoreError) {
        let temporary = temporary(for: path)
        defer { growing.withLock { _ = $0.remove(temporary) } }
        do {
            try writeAll(bytes, to: temporary, mode: mode)
            try FileSystem.rename(temporary, to: path)
            try FileSystem.syncDirectory(path.removingLastComponent())
        } catch {
            try? FileSystem.unlink(temporary)
            throw error
        }
    }

    /// A name that nobody else has; the usual one first, so that what a killed process left is overwritten.
    private static func temporary(for path: FilePath) -> FilePath {
        let (folder, name) = (path.removingLastComponent(), path.lastComponent?.string ?? "file")
        return growing.withLock { growing -> FilePath in
            var (candidate, number) = (folder.appending(".\(name).tmp"), 2)
            while !growing.insert(candidate).inserted {
                candidate = folder.appending(".\(name).\(number).tmp")
                number += 1
            }
            return candidate
        }
    }

    private static func writeAll(_ bytes: [UInt8], to path: FilePath, mode: UInt32) throws(StoreError) {
        let descriptor = unsafe open(path.string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .system(.create, path) }
        defer { close(descriptor) }
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

    /// The whole content of a small file; `nil` when there is none.
    static func read(_ path: FilePath, limit: Int = 64 << 20) throws(StoreError) -> [UInt8]? {
        let descriptor = unsafe open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(.open, path)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system(.read, path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw .system(.read, path, .fileTooLarge) }
        }
    }
}
