internal import Foundation
internal import HLSPlaylist
package import SystemPackage

/// Gives the keys of an exported folder that were sealed for this store.
package struct SealedKeyProvider: KeyProvider {
    private let keys: [SealedKeys.Key]
    /// The beginning of the addresses of keys in the folder.
    private let prefix: String
    package let name = "sealed-keys"

    package init(_ content: SealedKeys.Content, in folder: FilePath) {
        keys = content.keys
        prefix = LocalFolder.url(folder.appending("keys")) + "/"
    }

    package func answers(for request: ContentKeyRequest) -> Bool { key(request) != nil }

    /// By its file, which playlists also name of a key that was given, or, of key systems, by its address.
    private func key(_ request: ContentKeyRequest) -> SealedKeys.Key? {
        keys.first { request.uri == "\(prefix)\($0.id).key" || $0.address == request.uri }
    }

    package func key(
        for request: ContentKeyRequest, certificate: [UInt8]?
    ) async throws(StoreError) -> ProvidedKey {
        guard let key = key(request), let bytes = Data(base64Encoded: key.bytes) else {
            throw StoreError(.key(.missing))
        }
        let type = key.format == nil ? nil : key.contentType ?? "application/octet-stream"
        return ProvidedKey([UInt8](bytes), contentType: type)
    }
}
