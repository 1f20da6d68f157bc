internal import Glibc
internal import SystemPackage

/// A folder that is being filled beside its final place. It is locked meanwhile, so that no other process fills it, too;
/// the next one deletes what a killed process has left.
struct PartFolder: ~Copyable {
    let path: FilePath
    private let place: FilePath
    private let descriptor: Int32

    /// Makes an empty folder `.NAME.part` beside a place.
    ///
    /// - Throws: `system` with `resourceBusy` if another process is filling it.
    init(for place: FilePath) throws(StoreError) {
        path = Self.path(for: place)
        self.place = place
        if let former = Self.locked(path) {
            defer { close(former) }
            try FileSystem.removeTree(path)
        }
        try FileSystem.makeDirectory(path, mode: 0o755)
        guard let descriptor = Self.locked(path) else { throw .system(.create, place, reason: .resourceBusy) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The path of the unfinished folder for a place.
    static func path(for place: FilePath) -> FilePath { place.parent.appending(".\(place.name).part") }

    /// Gives the folder its name.
    borrowing func finish() throws(StoreError) {
        try FileSystem.rename(path, to: place)
        try FileSystem.syncDirectory(place.parent)
    }

    /// Deletes the folder.
    borrowing func discard() { try? FileSystem.removeTree(path) }

    /// - Returns: `nil` if there is no such folder, or another process has locked it.
    private static func locked(_ path: FilePath) -> Int32? {
        let descriptor = unsafe open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
