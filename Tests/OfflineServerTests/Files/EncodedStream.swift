import AssetStore
import SystemPackage
import TestSupport

extension EncodedStream {
    /// Imports the stream into a site.
    func add(to site: Site) async throws -> (token: AssetToken, source: String, folder: TemporaryDirectory) {
        let folder = try TemporaryDirectory()
        let source = try write(to: folder)
        let token = try await site.server.store.imports.add(FilePath(source), name: rawValue).token
        return (token, source, folder)
    }
}
