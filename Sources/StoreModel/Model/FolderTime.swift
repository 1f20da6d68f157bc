/// The time at which a file last came into a folder, was renamed or deleted in it, as the file system has it. Good
/// only for being compared with another one.
package struct FolderTime: Sendable, Equatable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }
}
