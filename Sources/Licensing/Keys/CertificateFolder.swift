internal import ASCII
internal import Crypto
package import SystemPackage
internal import Transfers

/// The application certificates of key providers, one for each account, stored as files. They are not secret.
package struct CertificateFolder: Sendable {
    package let path: FilePath

    package init(path: FilePath) {
        self.path = path
    }

    /// The certificate of a provider, asked for when it is not there.
    package func certificate(of provider: any KeyProvider) async throws(StoreError) -> [UInt8]? {
        guard let file = file(provider) else { return nil }
        if let known = try DurableWrite.read(file) { return known }
        return try await refresh(provider)
    }

    /// Asks for the certificate, whether or not it is there.
    package func refresh(_ provider: any KeyProvider) async throws(StoreError) -> [UInt8]? {
        guard let file = file(provider), let bytes = try await provider.certificate() else { return nil }
        try FileSystem.makeDirectory(path)
        try DurableWrite.write(bytes, to: file)
        return bytes
    }

    /// Each source has its own file.
    private func file(_ provider: any KeyProvider) -> FilePath? {
        provider.certificateSource.map { source in
            let digest = Hexadecimal.text(Array(SHA256.hash(data: Array(source.utf8)).prefix(8)))
            return path.appending("\(provider.name)-\(digest).cer")
        }
    }
}
