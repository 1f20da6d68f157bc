internal import Crypto
internal import FoundationEssentials
internal import SystemPackage

/// Seals content keys and request secrets under the store's key, which lies beside the catalog and is not
/// part of it: a copied catalog gives no key away.
struct KeyVault: Sendable {
    private let key: SymmetricKey

    /// Reads the store's key, making it (32 random bytes, mode 0600) for a new store.
    init(_ path: FilePath) throws(StoreError) {
        if let bytes = try DurableWrite.read(path, limit: 64) {
            guard bytes.count == 32 else { throw StoreError(.vault) }
            key = SymmetricKey(data: bytes)
            return
        }
        let made = SymmetricKey(size: .bits256)
        try DurableWrite.write(unsafe made.withUnsafeBytes { unsafe [UInt8]($0) }, to: path)
        key = made
    }

    /// Seals `bytes` so that they open for the same `purpose` only.
    func seal(_ bytes: [UInt8], for purpose: String) throws(StoreError) -> [UInt8] {
        let box = try? AES.GCM.seal(bytes, using: key, authenticating: Data(purpose.utf8))
        guard let combined = box?.combined else { throw StoreError(.vault) }
        return [UInt8](combined)
    }

    /// Opens what `seal` made.
    func open(_ sealed: [UInt8], for purpose: String) throws(StoreError) -> [UInt8] {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Data(purpose.utf8))
        else { throw StoreError(.vault) }
        return [UInt8](bytes)
    }

    /// What tells whether another key is the same one, and nothing else of it.
    func digest(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](HMAC<SHA256>.authenticationCode(for: Data("digest".utf8) + Data(bytes), using: key))
    }

    /// How an asset's origin is asked.
    func access(of record: AssetRecord) throws(StoreError) -> OriginAccess {
        guard let sealed = record.access else { return OriginAccess() }
        let text = try open(sealed, for: Self.purpose(ofAccessFor: record.token))
        guard let access = try? JSONText.decode(OriginAccess.self, String(decoding: text, as: UTF8.self))
        else { throw StoreError(.vault) }
        return access
    }

    static func purpose(ofKey id: String, _ token: AssetToken) -> String { "key \(token) \(id)" }
    static func purpose(ofAccessFor token: AssetToken) -> String { "access \(token)" }
}
