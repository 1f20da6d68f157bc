internal import Crypto
package import SystemPackage
internal import Transfers

extension OfflineStore {
    /// Gets the application certificate of a key provider of a store's settings, and keeps it. Needs no engine.
    ///
    /// - Returns: its length in bytes; `nil` when there is no such provider, or it has none.
    package static func loadCertificate(of name: String, in root: FilePath) async throws(StoreError) -> Int? {
        let paths = StorePaths(root: root)
        let settings = try EngineSettings.read(paths.settings)
        guard let provider = settings.keyProviders.first(where: { $0.name == name }) else { return nil }
        let loop = try makeLoop()
        let folder = CertificateFolder(path: paths.certificates)
        let outcome: Result<[UInt8]?, StoreError>
        do throws(StoreError) {
            outcome = .success(
                try await folder.refresh(ConfiguredKeyProvider(settings: provider, loop: loop)))
        } catch {
            outcome = .failure(error)
        }
        await loop.stop()
        return try outcome.get()?.count
    }
}
