public import FoundationEssentials
package import HLSPlaylist

/// A source of content keys that can't be fetched from the URI in the playlist: a key server with a protocol of its
/// own, a program, or a file. The provider decides which keys it answers for; a playlist can't choose a provider.
///
/// ```swift
/// struct FixedKey: KeyProvider {
///     let name = "fixed"
///     let bytes: [UInt8]
///
///     func answers(for request: ContentKeyRequest) -> Bool { request.uri.hasPrefix("skd://") }
///
///     func key(
///         for request: ContentKeyRequest, certificate: [UInt8]?
///     ) async throws(StoreError) -> ProvidedKey {
///         ProvidedKey(bytes)
///     }
/// }
/// ```
public protocol KeyProvider: Sendable {
    /// The name of the provider in errors and file names: letters, digits, `.`, `_` and `-`.
    var name: String { get }
    /// Whether this provider has the key. Of several providers, the first that returns true is asked.
    func answers(for request: ContentKeyRequest) -> Bool
    /// The name of the content at the provider's service.
    func contentIdentifier(for request: ContentKeyRequest) -> String
    /// Asks for a key.
    ///
    /// - Parameters:
    ///   - request: the key that is needed, and the asset that needs it.
    ///   - certificate: the application certificate, as `certificate()` returned it; `nil` without one.
    /// - Throws: `StoreError.Code.key` if the provider refuses or answers with something other than a key.
    func key(
        for request: ContentKeyRequest, certificate: [UInt8]?
    ) async throws(StoreError) -> ProvidedKey
    /// Fetches the application certificate of the provider's account; `nil` without one. The store keeps it.
    func certificate() async throws(StoreError) -> [UInt8]?
    /// Identifies the certificate, for example by its URL. When it changes, the store asks for the certificate again.
    var certificateSource: String? { get }
}

extension KeyProvider {
    /// The key's address, without its scheme.
    public func contentIdentifier(for request: ContentKeyRequest) -> String { request.identifier }
    /// By default there is none.
    public func certificate() async throws(StoreError) -> [UInt8]? { nil }
    /// By default there is none.
    public var certificateSource: String? { nil }
}

/// A request for a content key.
public struct ContentKeyRequest: Sendable {
    /// The asset; `nil` while a stream is only probed.
    public var token: AssetToken?
    /// The key's URI, absolute.
    public var uri: String
    /// KEYFORMAT; `identity` if the playlist has none.
    public var keyFormat: String
    /// The length of a content key in bytes: 16, or 32 with METHOD=AES-256 and AES-256-GCM.
    public var keyLength = 16

    /// A request for a key.
    public init(token: AssetToken?, uri: String, keyFormat: String = "identity") {
        (self.token, self.uri, self.keyFormat) = (token, uri, keyFormat)
    }

    package init(_ source: KeySource, token: AssetToken?) {
        let uri = source.isInline ? source.uri : source.address
        self.init(token: token, uri: uri, keyFormat: source.keyFormat ?? "identity")
        keyLength = source.method.keyLength
    }

    /// The URI without scheme and slashes.
    package var identifier: String {
        guard let colon = uri.firstIndex(of: ":") else { return uri }
        return String(uri[uri.index(after: colon)...].drop { $0 == "/" })
    }
}

/// The answer of a provider.
public struct ProvidedKey: Sendable {
    /// A content key of ``ContentKeyRequest/keyLength`` bytes, or the opaque answer of a key system.
    public var bytes: [UInt8]
    /// The time at which it should be renewed; `nil` for never.
    public var renewalDate: Date? {
        get { renewAt?.date }
        set { renewAt = newValue.map { Timestamp($0) } }
    }
    package var renewAt: Timestamp?
    /// The media type of a key system's answer; `nil` for a content key.
    public var contentType: String?

    /// A key, or the blob of a key system with its type.
    public init(_ bytes: [UInt8], renewalDate: Date? = nil, contentType: String? = nil) {
        self.init(bytes, renewAt: renewalDate.map { Timestamp($0) }, contentType: contentType)
    }

    package init(_ bytes: [UInt8], renewAt: Timestamp?, contentType: String?) {
        (self.bytes, self.renewAt, self.contentType) = (bytes, renewAt, contentType)
    }
}

/// The providers of a store, in order: the first one that has a key is asked for it.
package struct KeyProviders: Sendable {
    package var list: [any KeyProvider] = []
    /// The folder for certificates.
    package var certificates: CertificateFolder?
    package var now: @Sendable () -> Timestamp = { SystemWallClock().now }

    package init(
        list: [any KeyProvider] = [], certificates: CertificateFolder? = nil,
        now: @escaping @Sendable () -> Timestamp = { SystemWallClock().now }
    ) {
        self.list = list
        self.certificates = certificates
        self.now = now
    }

    package func provider(for request: ContentKeyRequest) -> (any KeyProvider)? {
        list.first { $0.answers(for: request) }
    }

    /// The names of the providers that would be asked for keys, each once.
    package func names(for keys: [KeySource]) -> [String] {
        var seen: Set<String> = []
        return keys.compactMap { provider(for: ContentKeyRequest($0, token: nil))?.name }
            .filter { seen.insert($0).inserted }
    }

    /// Whether each encrypted segment of a playlist has a key that the origin or a provider can give.
    package func canOpen(_ playlist: MediaPlaylist, at url: String) -> Bool {
        guard !list.isEmpty else { return false }
        let base = URIReference(url)
        var last: [EncryptionKey] = []
        for keys in playlist.segments.lazy.filter({ !$0.isGap }).map(\.keys) where keys != last {
            last = keys
            let isKnown = keys.contains { key in
                if key.method == .none || key.keyFormat == "identity" { return true }
                let uri = key.uri.map { URIReference($0).resolved(against: base).description } ?? ""
                let request = ContentKeyRequest(token: nil, uri: uri, keyFormat: key.keyFormat)
                return provider(for: request) != nil
            }
            guard isKnown || keys.isEmpty else { return false }
        }
        return true
    }

    package func key(
        for request: ContentKeyRequest, from provider: any KeyProvider
    ) async throws(StoreError) -> ProvidedKey {
        let certificate = try await certificates?.certificate(of: provider)
        return try await provider.key(for: request, certificate: certificate ?? nil)
    }
}
