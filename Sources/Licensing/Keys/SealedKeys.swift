internal import ASCII
package import Crypto
internal import FoundationEssentials
package import SystemPackage

/// The keys of an asset with its license, sealed for one other store (HPKE, RFC 9180, base mode, X25519, HKDF-SHA256,
/// ChaCha20-Poly1305).
package struct SealedKeys: Codable {
    /// The public key of the store that can open them.
    package var recipient: String
    /// The encapsulated secret from which the recipient derives the shared key, in base 64.
    var encapsulated: String
    /// `Content`, sealed, in base 64.
    package var sealed: String

    package static let fileName = "keys.sealed"
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let purpose = Data("offline-server keys 1".utf8)

    /// The sealed content.
    package struct Content: Codable {
        package var keys: [Key]
        package var license: Terms

        package init(keys: [Key], license: Terms) {
            self.keys = keys
            self.license = license
        }
    }

    package struct Key: Codable {
        /// The name in the asset's URLs, which its playlists have.
        package var id: String
        package var address: String
        /// In base 64.
        package var bytes: String
        package var format: String?
        /// In base 64.
        package var identifier: String?
        package var contentType: String?

        package init(
            id: String, address: String, bytes: String, format: String? = nil, identifier: String? = nil,
            contentType: String? = nil
        ) {
            self.id = id
            self.address = address
            self.bytes = bytes
            self.format = format
            self.identifier = identifier
            self.contentType = contentType
        }
    }

    /// A license with its clocks: it ends there when it ends here.
    package struct Terms: Codable {
        package var rental: Int64?
        package var playWindow: Int64?
        package var requestedAt: Timestamp
        package var expiresAt: Timestamp?
        package var firstPlayedAt: Timestamp?
        package var playExpiresAt: Timestamp?
        /// The time of the sealing: the recipient's clock is no earlier.
        var sealedAt: Timestamp?

        package init(
            rental: Int64? = nil, playWindow: Int64? = nil, requestedAt: Timestamp,
            expiresAt: Timestamp? = nil, firstPlayedAt: Timestamp? = nil,
            playExpiresAt: Timestamp? = nil, sealedAt: Timestamp? = nil
        ) {
            self.rental = rental
            self.playWindow = playWindow
            self.requestedAt = requestedAt
            self.expiresAt = expiresAt
            self.firstPlayedAt = firstPlayedAt
            self.playExpiresAt = playExpiresAt
            self.sealedAt = sealedAt
        }
    }

    /// Seals keys for the store that has a public key.
    package init(_ content: Content, for key: StorePublicKey) throws(StoreError) {
        do {
            var sender = try HPKE.Sender(
                recipientKey: key.key, ciphersuite: Self.suite, info: Self.purpose)
            let text = Data(try JSONText.encode(content).utf8)
            sealed = try sender.seal(text).base64EncodedString()
            (recipient, encapsulated) = (key.text, sender.encapsulatedKey.base64EncodedString())
        } catch {
            throw StoreError(.vault)
        }
    }

    /// Opens the content, if it was sealed for this store.
    package func content(_ vault: KeyVault) throws(StoreError) -> Content {
        guard try recipient == vault.publicKey.text, let encapsulated = Data(base64Encoded: encapsulated),
            let sealed = Data(base64Encoded: sealed)
        else { throw StoreError(.key(.sealedForAnother)) }
        do {
            var receiver = try HPKE.Recipient(
                privateKey: vault.exchangeKey(), ciphersuite: Self.suite, info: Self.purpose,
                encapsulatedKey: encapsulated)
            let content = try JSONDecoder().decode(Content.self, from: receiver.open(sealed))
            guard content.license.isPlausible else { throw StoreError(.vault) }
            return content
        } catch {
            throw StoreError(.key(.sealedForAnother))
        }
    }

    /// Reads the sealed keys in a folder; `nil` without any.
    package static func read(_ folder: FilePath) throws(StoreError) -> SealedKeys? {
        guard let bytes = try DurableWrite.read(folder.appending(fileName), limit: 64 << 20) else {
            return nil
        }
        guard let keys = try? JSONDecoder().decode(SealedKeys.self, from: Data(bytes)) else {
            throw StoreError(.key(.sealedForAnother))
        }
        return keys
    }
}

/// The public key with which others seal keys for a store. It is not secret.
public struct StorePublicKey: Sendable, CustomStringConvertible {
    package let key: Curve25519.KeyAgreement.PublicKey
    /// 64 hexadecimal digits.
    package let text: String

    package init(_ key: Curve25519.KeyAgreement.PublicKey) {
        self.key = key
        text = Hexadecimal.text([UInt8](key.rawRepresentation))
    }

    /// Reads the printed form; `nil` for other texts.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text),
            let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
        else { return nil }
        self.init(key)
    }

    /// The form that `key public` prints.
    public var description: String { text }
}

extension KeyVault {
    /// The key pair of the store, made of its key: it is kept nowhere, and moves with the store.
    func exchangeKey() throws -> Curve25519.KeyAgreement.PrivateKey {
        let seed = derived("offline-server key exchange 1")
        return try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed)
    }

    /// The public key with which others seal keys for this store.
    package var publicKey: StorePublicKey {
        get throws(StoreError) {
            guard let key = try? exchangeKey() else { throw StoreError(.vault) }
            return StorePublicKey(key.publicKey)
        }
    }
}

extension SealedKeys.Key {
    package init(_ record: KeyRecord, _ plain: [UInt8]) {
        (id, address, format, contentType) = (record.id, record.url, record.format, record.contentType)
        bytes = Data(plain).base64EncodedString()
        identifier = record.identifier.map { Data($0).base64EncodedString() }
    }
}

extension SealedKeys.Terms {
    package init(_ license: License, at now: Timestamp) {
        (rental, playWindow) = (license.terms.rental, license.terms.playWindow)
        (requestedAt, expiresAt) = (license.requestedAt, license.expiresAt)
        (firstPlayedAt, playExpiresAt) = (license.firstPlayedAt, license.playExpiresAt)
        sealedAt = license.reckoned(now)
    }

    /// Whether the times are plausible: everybody who has the public key can seal anything.
    var isPlausible: Bool {
        [requestedAt, expiresAt, firstPlayedAt, playExpiresAt, sealedAt].compactMap(\.self)
            .allSatisfy { (0...Timestamp.latest.milliseconds).contains($0.milliseconds) }
    }

    package var license: License {
        var license = License(LicenseTerms(rental: rental, playWindow: playWindow), at: requestedAt)
        (license.expiresAt, license.firstPlayedAt, license.playExpiresAt) = (
            expiresAt, firstPlayedAt, playExpiresAt
        )
        (license.floor, license.isForeign) = (sealedAt, true)
        return license
    }
}
