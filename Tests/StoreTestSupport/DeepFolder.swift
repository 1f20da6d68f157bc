import StoreFiles
package import SystemPackage
package import TestSupport

/// A folder whose innermost folders have longer paths than a system call takes, so that nobody can delete it, whatever
/// he may, before it is taken apart.
package struct DeepFolder {
    private let spare: FilePath

    /// Makes the folder where nothing is yet.
    package init(at path: FilePath, in folder: TemporaryDirectory) throws {
        spare = FilePath(folder.file("innermost"))
        try FileSystem.makeDirectory(Self.end(of: path))
        try FileSystem.makeDirectory(Self.end(of: spare))
        try FileSystem.rename(spare, to: Self.end(of: path).appending("innermost"))
    }

    /// Makes it, wherever it is by now, a folder like others.
    package func takeApart(at path: FilePath) throws {
        try FileSystem.rename(Self.end(of: path).appending("innermost"), to: spare)
    }

    /// Two of them are longer than PATH_MAX, one is not.
    private static func end(of path: FilePath) -> FilePath {
        (0..<11).reduce(path) { path, _ in path.appending(String(repeating: "d", count: 200)) }
    }
}
