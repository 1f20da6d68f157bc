public import Foundation

/// A new empty folder that is removed, with what is in it, when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes the folder under the system's temporary directory.
    public init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("offline-server-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, making the folders above it, and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let target = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: target)
        return target.path
    }

    /// The bytes of a file in the folder.
    public func read(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(name))))
    }
}
