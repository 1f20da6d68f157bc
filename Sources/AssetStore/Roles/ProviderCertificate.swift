internal import Crypto
package import SystemPackage
internal import Transfers

/// The application certificates of the key providers that a store's settings name.
package enum ProviderCertificate {
    /// Fetches and stores the application certificate of a key provider in a store's settings. Needs no engine.
    ///
    /// - Returns: its length in bytes; `nil` if there is no such provider, or it has no certificate.
    package static func load(of name: String, in root: FilePath) async throws(StoreError) -> Int? {
        let paths = StorePaths(root: root)
        let settings = try EngineSettings.read(paths.settings)
        guard let provider = settings.keyProviders.first(where: { $0.name == name }) else { return nil }
        let loop = try TransferLoop.ofStore()
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
