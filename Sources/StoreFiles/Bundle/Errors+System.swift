internal import Glibc
package import SystemPackage

extension StoreError {
    /// The error of a failed system call, from the present `errno`.
    package static func system(_ operation: FileOperation, _ path: FilePath) -> StoreError {
        system(operation, path, reason: Errno(rawValue: errno))
    }

    /// The error for a system call that failed with `reason`.
    package static func system(_ operation: FileOperation, _ path: FilePath, reason: Errno) -> StoreError {
        switch reason {
        case .noSpace, .diskQuotaExceeded: StoreError(.diskFull(path.string))
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: StoreError(.tooManyFiles(path.string))
        default: StoreError(.file(operation, path.string, errno: reason.rawValue))
        }
    }
}
