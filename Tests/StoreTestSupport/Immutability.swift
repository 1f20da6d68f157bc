import Foundation
package import SystemPackage
import TestSupport

/// The attribute of a file or folder that lets nobody change, rename or delete it. Only root may set it, and not every
/// file system has it.
package enum Immutability {
    package static let isPossible: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        return set(true, FilePath(folder.path)) && set(false, FilePath(folder.path))
    }()

    /// - Returns: whether it was set or taken away.
    @discardableResult
    package static func set(_ isSet: Bool, _ path: FilePath) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/chattr")
        process.arguments = [isSet ? "+i" : "-i", path.string]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
