/// The modification time of a folder: the last time at which a file was created, renamed or deleted in it. It is only
/// compared with other such times.
package struct FolderTime: Sendable, Equatable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }
}
