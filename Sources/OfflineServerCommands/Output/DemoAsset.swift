internal import AssetStore
internal import Foundation
internal import SystemPackage

/// The demo asset in the program's bundle.
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

    /// The name of the bundle beside the program.
    static let bundle = "offline-server_OfflineServerCommands.resources"

    /// The demo's folder beside a program; `nil` if it is not there. Only the program's present folder counts, not
    /// the one in which it was built.
    static func folder(besides program: URL?) -> URL? {
        guard let program = program?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().appendingPathComponent(bundle)
            .appendingPathComponent("demo")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
