internal import Glibc
internal import SystemPackage

/// A folder that is filled under a temporary name, and then renamed. It is locked until then, so that no other process
/// fills it, too. If a process is killed, the next one deletes what it has left.
struct PartFolder: ~Copyable {
    let path: FilePath
    private let place: FilePath
    private let descriptor: Int32

    /// Makes an empty folder `.NAME.part` beside a place.
    ///
    /// - Throws: `file` with `EBUSY` if another process is filling it.
    init(for place: FilePath) throws(StoreError) {
        path = Self.path(for: place)
        self.place = place
        if FileSystem.isThere(path) {
            let former = try Self.locked(path)
            defer { close(former) }
            try FileSystem.removeTree(path)
        }
        try FileSystem.makeDirectory(path, mode: 0o755)
        descriptor = try Self.locked(path)
    }

    deinit { close(descriptor) }

    /// The path of the unfinished folder for a place.
    static func path(for place: FilePath) -> FilePath { place.parent.appending(".\(place.name).part") }

    /// Gives the folder its name.
    borrowing func finish() throws(StoreError) {
        try FileSystem.rename(path, to: place)
        // A folder that may not be read can't be flushed.
        try? FileSystem.syncDirectory(place.parent.isEmpty ? "." : place.parent)
    }

    /// Deletes the folder.
    borrowing func discard() { try? FileSystem.removeTree(path) }

    /// Opens and locks a folder. A file system may have no locks for folders (NFS): then other processes are not
    /// expected.
    private static func locked(_ path: FilePath) throws(StoreError) -> Int32 {
        let descriptor = unsafe open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(.open, path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return descriptor }
        close(descriptor)
        throw .system(.create, path, reason: .resourceBusy)
    }
}
