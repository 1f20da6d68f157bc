internal import FoundationEssentials
internal import Glibc
internal import SystemPackage

/// What the engine of a store tells other processes about itself.
public struct EngineAddress: Codable, Sendable {
    /// The process that holds the store.
    public var pid: Int32
    /// Where its server answers, without a slash at the end; `nil` while it starts.
    public var url: String?
}

/// The one-engine-a-store lock: `flock` on a file that names its holder. The kernel lets go of it when the
/// process dies, however it dies.
final class StoreLock: Sendable {
    private let descriptor: Int32
    private let path: FilePath

    /// Takes the lock.
    ///
    /// - Throws: `StoreError.Code.storeInUse` with the holder's process id.
    init(_ path: FilePath) throws(StoreError) {
        let descriptor = unsafe open(path.string, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(.open, path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            guard errno == EWOULDBLOCK else { throw .system(.lock, path) }
            throw StoreError(.storeInUse(pid: Self.holder(path)?.pid))
        }
        self.descriptor = descriptor
        self.path = path
        try publish(url: nil)
    }

    /// Writes who holds the lock and where it answers.
    func publish(url: String?) throws(StoreError) {
        let address = EngineAddress(pid: getpid(), url: url)
        guard let text = try? JSONEncoder().encode(address) else { return }
        let bytes = [UInt8](text)
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
            throw .system(.write, path)
        }
    }

    /// Lets others take the lock.
    func release() { flock(descriptor, LOCK_UN) }

    /// Who holds the lock now; `nil` when nobody does.
    static func holder(_ path: FilePath) -> EngineAddress? {
        let descriptor = unsafe open(path.string, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        guard let bytes = (try? DurableWrite.read(path, limit: 4096)) ?? nil else { return nil }
        return try? JSONDecoder().decode(EngineAddress.self, from: Data(bytes))
    }

    deinit { close(descriptor) }
}
