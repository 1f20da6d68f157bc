internal import Foundation
internal import HLSPlaylist

/// Gets the content keys of an asset and seals them, before a byte of media is fetched.
package struct KeyFetcher: Sendable {
    package let origin: any StreamSource
    package let vault: KeyVault
    package let token: AssetToken
    package var pause = RetryPause.usual
    package var providers = KeyProviders()
    /// The number of tries for a key.
    package var tries = Origin.usualTries

    package init(
        origin: any StreamSource, vault: KeyVault, token: AssetToken,
        pause: RetryPause = RetryPause.usual, providers: KeyProviders = KeyProviders(),
        tries: Int = Origin.usualTries
    ) {
        self.origin = origin
        self.vault = vault
        self.token = token
        self.pause = pause
        self.providers = providers
        self.tries = tries
    }

    /// Fetches each key once. Keys of key systems without a provider are only recorded.
    ///
    /// - Parameters:
    ///   - allowsMissing: whether a key that can't be fetched is recorded as missing.
    ///   - first: the number in the name of the first key.
    package func fetch(
        _ sources: [KeySource], allowsMissing: Bool = false, first: Int = 0
    ) async throws(StoreError) -> [KeyRecord] {
        Trace.pass(.keys, "\(token)")
        var records: [KeyRecord] = []
        for (number, source) in sources.enumerated() {
            guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
            let id = "k\(first + number)"
            guard source.keyFormat == nil || provider(for: source) != nil else {
                records.append(
                    KeyRecord(
                        id: id, url: source.address, format: source.keyFormat,
                        method: source.method.verbatim))
                continue
            }
            do throws(StoreError) {
                records.append(try record(id, source, key: try await key(source)))
            } catch {
                if error.isStopped { throw error }
                guard allowsMissing else { throw error }
                records.append(Self.missing(id, source))
            }
        }
        return records
    }

    /// A key that could not be had, as the catalog keeps it.
    package static func missing(_ id: String, _ source: KeySource) -> KeyRecord {
        KeyRecord(
            id: id, url: source.address, system: source.keyFormat, method: source.method.verbatim)
    }

    /// A key as the catalog keeps it.
    package func record(_ id: String, _ source: KeySource, key: ProvidedKey) throws(StoreError) -> KeyRecord {
        let sealed = try vault.seal(key.bytes, for: KeyVault.purpose(ofKey: id, token))
        let isBlob = key.contentType != nil
        return KeyRecord(
            id: id, url: source.address, sealed: sealed, digest: vault.digest(key.bytes),
            format: isBlob ? source.keyFormat ?? KeyRecord.identity : nil, contentType: key.contentType,
            system: source.keyFormat, method: source.method.verbatim,
            renewAt: key.renewAt.map { Self.moment(ahead: $0, providers.now()) }
        )
    }

    /// The time at which a key is renewed: an hour before its end, or a tenth of its lifetime if that is less, but at
    /// least a minute from now.
    static func moment(ahead date: Timestamp, _ now: Timestamp) -> Timestamp {
        let lifetime = max(0, date.milliseconds - now.milliseconds)
        let ahead = Timestamp(milliseconds: date.milliseconds - min(3_600_000, lifetime / 10))
        return max(ahead, now.adding(seconds: 60))
    }

    private func request(_ source: KeySource) -> ContentKeyRequest {
        ContentKeyRequest(source, token: token)
    }

    package func provider(for source: KeySource) -> (any KeyProvider)? {
        providers.provider(for: request(source))
    }

    /// A key from its provider, or else from where the playlist says.
    package func key(_ source: KeySource) async throws(StoreError) -> ProvidedKey {
        guard let provider = provider(for: source) else { return ProvidedKey(try await ownKey(source)) }
        let key = try await providers.key(for: request(source), from: provider)
        guard key.contentType != nil || key.bytes.count == source.method.keyLength else {
            throw StoreError(.key(.length(key.bytes.count)))
        }
        return key
    }

    private func ownKey(_ source: KeySource) async throws(StoreError) -> [UInt8] {
        let place = source.isInline || source.uri.isEmpty ? nil : URIReference(source.address).redacted
        let bytes: [UInt8]
        if source.isInline {
            bytes = Self.decode(source.uri)
        } else {
            let url = source.address
            guard URIReference(url).scheme.map(type(of: origin).schemes.contains) == true else {
                throw StoreError(.key(.unreachable), url: place)
            }
            bytes = try await fetched(url)
        }
        guard bytes.count == source.method.keyLength else {
            let isPage = bytes.first == UInt8(ascii: "<")
            throw StoreError(.key(isPage ? .html : .length(bytes.count)), url: place)
        }
        return bytes
    }

    private func fetched(_ url: String) async throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            return try await RetryPolicy.retried(tries: tries, pause: pause) { () async throws(StoreError) in
                try await origin.key(url)
            }
        } catch {
            guard case .status(let status, _) = error.code, !error.isRetryable else { throw error }
            throw StoreError(.key(.refused(status)), url: error.url)
        }
    }

    /// The bytes of a `data:` URI (RFC 2397); empty if it is malformed.
    package static func decode(_ uri: String) -> [UInt8] {
        guard let comma = uri.firstIndex(of: ",") else { return [] }
        let text = String(uri[uri.index(after: comma)...])
        guard uri[..<comma].lowercased().hasSuffix(";base64") else { return octets(text) }
        return Data(base64Encoded: String(decoding: octets(text), as: UTF8.self)).map { [UInt8]($0) } ?? []
    }

    /// The bytes after percent-decoding (RFC 3986, section 2.1); empty if the text is malformed.
    private static func octets(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: "%") else {
                bytes.append(next)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), digits.first != "+" else {
                return []
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
