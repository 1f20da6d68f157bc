internal import AssetStore
internal import Foundation
internal import SystemPackage

/// The asset that comes with the program.
enum DemoAsset {
    static let name = "offline-server demo"

    /// Imports the demo, unless the store has it.
    static func add(to store: AssetStore) async throws -> AssetToken {
        if let known = try store.reader.assets().first(where: { $0.name == name }) { return known.token }
        guard let folder = Bundle.module.resourceURL?.appendingPathComponent("demo").path else {
            throw CommandFailure(message: "the demo asset is not beside the program; build it again")
        }
        return try await store.importing(FilePath(folder), name: name)
    }
}
