internal import AssetStore
internal import Foundation
internal import SystemPackage

/// The asset that comes with the program.
enum DemoAsset {
    static let name = "offline-server demo"

    /// Imports the demo, unless the store has it.
    static func add(to store: OfflineStore) async throws -> AssetToken {
        if let known = try store.reader.assets().first(where: { $0.name == name }) { return known.token }
        guard let folder = folder(besides: Bundle.main.executableURL) else {
            throw CommandFailure(
                message:
                    "the demo asset is not beside the program: \(bundle) belongs in the program's own folder")
        }
        return try await store.imports.add(FilePath(folder.path), name: name).token
    }

    /// The folder beside the program that holds what comes with it.
    static let bundle = "offline-server_OfflineServerCommands.resources"

    /// The demo's folder beside a program; `nil` when it is not there. A program that was installed or moved is
    /// looked beside where it is now, not where it was built.
    static func folder(besides program: URL?) -> URL? {
        guard let program = program?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().appendingPathComponent(bundle)
            .appendingPathComponent("demo")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
