internal import ASCII
package import Crypto
internal import Foundation
package import SystemPackage

/// Seals content keys and request secrets under the store's key, which is no part of the catalog: a copied
/// catalog gives no key away.
package struct KeyVault: Sendable {
    private let key: SymmetricKey

    /// Reads the store's key: from a credential of the service manager (systemd.exec(5), `LoadCredential=`), else
    /// from the file that the environment names, else from `path`, where a new store's key is made (32 random
    /// bytes, mode 0600).
    package init(
        _ path: FilePath, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StoreError) {
        if let found = try Self.read(path, environment) {
            TemporaryFile.removeLeftover(beside: path)
            key = found
            return
        }
        let made = SymmetricKey(size: .bits256)
        try DurableWrite.create(unsafe made.withUnsafeBytes { unsafe [UInt8]($0) }, at: path)
        // Another process may have been faster: then its key is the store key.
        guard let found = try Self.read(path, environment) else { throw StoreError(.vault) }
        key = found
    }

    private init(key: SymmetricKey) { self.key = key }

    /// The vault of a store with a key. No key is made.
    package static func existing(
        _ path: FilePath, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StoreError) -> KeyVault? {
        guard let found = try read(path, environment) else { return nil }
        return KeyVault(key: found)
    }

    /// The file that the store's key is read from.
    package static func path(
        _ own: FilePath, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FilePath {
        givenPath(environment) ?? own
    }

    private static func read(
        _ path: FilePath, _ environment: [String: String]
    ) throws(StoreError) -> SymmetricKey? {
        let given = givenPath(environment)
        guard let bytes = try DurableWrite.read(given ?? path, limit: 4096) else {
            if let given { throw .system(.open, given, reason: .noSuchFileOrDirectory) }
            return nil
        }
        return try Self.key(bytes)
    }

    /// The credential's name, and the variable that names a file.
    package static let credential = "offline-server.store-key"
    package static let variable = "OFFLINE_SERVER_STORE_KEY_FILE"

    private static func givenPath(_ environment: [String: String]) -> FilePath? {
        if let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty {
            let path = FilePath(folder).appending(credential)
            if !FileSystem.isAbsent(path) { return path }
        }
        guard let file = environment[variable], !file.isEmpty else { return nil }
        return FilePath(file)
    }

    /// Reads 32 plain bytes or 64 hexadecimal digits.
    private static func key(_ bytes: [UInt8]) throws(StoreError) -> SymmetricKey {
        if bytes.count == 32 { return SymmetricKey(data: bytes) }
        let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined()
        guard text.utf8.count == 64, let key = Hexadecimal.bytes(text) else { throw StoreError(.vault) }
        return SymmetricKey(data: key)
    }

    /// Seals `bytes` so that they open for the same `purpose` only.
    package func seal(_ bytes: [UInt8], for purpose: String) throws(StoreError) -> [UInt8] {
        let box = try? AES.GCM.seal(bytes, using: key, authenticating: Data(purpose.utf8))
        guard let combined = box?.combined else { throw StoreError(.vault) }
        return [UInt8](combined)
    }

    /// Opens bytes that `seal` has made.
    package func open(_ sealed: [UInt8], for purpose: String) throws(StoreError) -> [UInt8] {
        Trace.pass(.vault, purpose)
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Data(purpose.utf8))
        else { throw StoreError(.vault) }
        return [UInt8](bytes)
    }

    /// 32 bytes for one purpose, from which the original key can't be computed.
    package func derived(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data(purpose.utf8), outputByteCount: 32)
    }

    /// A digest that only tells whether two keys are the same.
    package func digest(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](HMAC<SHA256>.authenticationCode(for: Data("digest".utf8) + Data(bytes), using: key))
    }

    /// The access to an asset's origin, sealed for the catalog; `nil` without any settings.
    package func sealed(_ access: OriginAccess, _ token: AssetToken) throws(StoreError) -> [UInt8]? {
        guard access != OriginAccess(), let text = try? JSONText.encode(access) else { return nil }
        return try seal(Array(text.utf8), for: Self.purpose(ofAccessFor: token))
    }

    /// The access to an asset's origin.
    package func access(of record: AssetRecord) throws(StoreError) -> OriginAccess {
        guard let sealed = record.access else { return OriginAccess() }
        let text = try open(sealed, for: Self.purpose(ofAccessFor: record.token))
        guard let access = try? JSONText.decode(OriginAccess.self, String(decoding: text, as: UTF8.self))
        else { throw StoreError(.vault) }
        return access
    }

    /// Seals a request for an asset, as the catalog keeps it until the stream is resolved.
    package func sealed(_ request: AssetRequest, _ token: AssetToken) throws(StoreError) -> [UInt8] {
        guard let text = try? JSONText.encode(request) else { throw StoreError(.vault) }
        return try seal(Array(text.utf8), for: Self.purpose(ofRequestFor: token))
    }

    /// Opens a sealed request for an asset.
    package func request(_ sealed: [UInt8], _ token: AssetToken) throws(StoreError) -> AssetRequest {
        let text = try open(sealed, for: Self.purpose(ofRequestFor: token))
        guard let request = try? JSONText.decode(AssetRequest.self, String(decoding: text, as: UTF8.self))
        else { throw StoreError(.vault) }
        return request
    }

    package static func purpose(ofKey id: String, _ token: AssetToken) -> String { "key \(token) \(id)" }
    package static func purpose(ofAccessFor token: AssetToken) -> String { "access \(token)" }
    package static func purpose(ofRequestFor token: AssetToken) -> String { "request \(token)" }
}
