internal import FoundationEssentials
internal import Glibc
internal import Locking
package import SystemPackage

/// The facts that the engine of a store tells other processes about itself.
package struct EngineAddress: Codable, Sendable {
    /// The process that holds the store.
    package var pid: Int32
    /// The address of its server, without a slash at the end; `nil` while it starts.
    package var url: String?
    /// The limits that it keeps.
    package var storage: StoragePolicy?
    /// Whether it demands the store's API token on every request.
    package var requiresToken: Bool?
}

/// The lock that permits one engine in a store, on a file that names its holder. The kernel releases it when the
/// process ends, in whatever way.
///
/// It is a lock of the open file (`F_OFD_SETLK`) and not `flock`, because a process can look for the holder of such a
/// lock without taking it. With `flock` it would have to take the lock for a moment, and an engine that starts then
/// would fail.
package final class StoreLock: Sendable {
    private let descriptor: Int32
    private let path: FilePath
    private let isHeld = Lock(true)
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which the Glibc module leaves out.
    private static let ask: Int32 = 36
    private static let take: Int32 = 37

    /// Takes the lock.
    ///
    /// - Throws: `StoreError.Code.storeInUse` with the holder's process id.
    package init(_ path: FilePath) throws(StoreError) {
        let descriptor = unsafe open(path.string, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(.open, path) }
        if let reason = Self.refusal(toLock: descriptor) {
            close(descriptor)
            guard reason == EAGAIN || reason == EACCES else {
                throw .system(.lock, path, reason: .init(rawValue: reason))
            }
            throw StoreError(.storeInUse(pid: Self.holder(path)?.pid))
        }
        self.descriptor = descriptor
        self.path = path
        try publish(url: nil)
    }

    /// Locks an open file until it is closed.
    ///
    /// - Returns: the `errno` of a failure; `nil` after success.
    package static func refusal(toLock descriptor: Int32) -> Int32? {
        var whole = wholeFile(F_WRLCK)
        return unsafe fcntl(descriptor, take, &whole) == 0 ? nil : errno
    }

    /// Writes the holder and its address into the lock file. After ``release()`` the file belongs to another process
    /// and is not changed.
    package func publish(
        url: String?, storage: StoragePolicy? = nil, requiresToken: Bool = false
    ) throws(StoreError) {
        let address = EngineAddress(
            pid: getpid(), url: url, storage: storage, requiresToken: requiresToken)
        guard let text = try? Array(JSONText.encode(address).utf8) else { return }
        // The text is never shorter than before, so that no reader sees a mixture of two texts.
        let bytes = text + [UInt8](repeating: UInt8(ascii: " "), count: max(0, 512 - text.count))
        let isWritten = isHeld.withLock { isHeld in
            guard isHeld else { return true }
            let written = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
            }
            return written == bytes.count && ftruncate(descriptor, off_t(bytes.count)) == 0
        }
        guard isWritten else { throw .system(.write, path) }
    }

    /// Lets others take the lock.
    package func release() {
        isHeld.withLock { isHeld in
            isHeld = false
            var whole = Self.wholeFile(F_UNLCK)
            _ = unsafe fcntl(descriptor, Self.take, &whole)
        }
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }

    /// The engine that holds the lock now; `nil` without one.
    package static func holder(_ path: FilePath) -> EngineAddress? {
        let descriptor = unsafe open(path.string, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = wholeFile(F_WRLCK)
        guard unsafe fcntl(descriptor, ask, &found) == 0, found.l_type != Int16(F_UNLCK) else {
            return nil
        }
        guard let bytes = (try? DurableWrite.read(path, limit: 4096)) ?? nil else { return nil }
        return try? JSONDecoder().decode(EngineAddress.self, from: Data(bytes))
    }

    deinit { close(descriptor) }
}
