/// When the last file came into a folder, was renamed or deleted in it, as the file system has it. Only good
/// for being compared with another one.
struct FolderTime: Sendable, Equatable {
    var nanoseconds: Int64
}
