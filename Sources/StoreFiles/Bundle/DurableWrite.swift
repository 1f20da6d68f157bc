internal import Glibc
package import SystemPackage

/// Writes small files so that after a crash there is either the old content or the whole new one.
package enum DurableWrite {
    /// Writes `bytes` to a temporary file beside `path`, flushes it, then renames it. Several calls may write to one
    /// path at the same time: the last one counts.
    ///
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: a file in an existing folder.
    ///   - mode: permissions of a new file; by default only the owner's.
    /// - Throws: `diskFull` or `system`; then the old content is unchanged.
    package static func write(_ bytes: [UInt8], to path: FilePath, mode: UInt32 = 0o600) throws(StoreError) {
        let temporary = try TemporaryFile(beside: path, mode: mode)
        defer { temporary.close() }
        do {
            try temporary.write(bytes)
            try FileSystem.rename(temporary.path, to: path)
        } catch {
            try? FileSystem.unlink(temporary.path)
            throw error
        }
        try FileSystem.syncDirectory(path.parent)
    }

    /// Writes `bytes` to a new file with the owner's permissions only; an existing file stays, also if another
    /// process has just made it.
    package static func create(_ bytes: [UInt8], at path: FilePath) throws(StoreError) {
        try link(bytes, to: path)
        // This also flushes a name that another process has just made: data that depend on the file must not survive
        // without it.
        try FileSystem.syncDirectory(path.parent)
    }

    private static func link(_ bytes: [UInt8], to path: FilePath) throws(StoreError) {
        let temporary = try TemporaryFile(beside: path, mode: 0o600)
        // After the rename, another process may use the temporary name.
        var isLeft = true
        defer {
            if isLeft { try? FileSystem.unlink(temporary.path) }
            temporary.close()
        }
        try temporary.write(bytes)
        isLeft = try FileSystem.link(temporary.path, to: path)
    }

    /// The whole content of a small file; `nil` if it does not exist.
    package static func read(_ path: FilePath, limit: Int = 64 << 20) throws(StoreError) -> [UInt8]? {
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
            guard bytes.count <= limit else { throw .system(.read, path, reason: .fileTooLarge) }
        }
    }
}
