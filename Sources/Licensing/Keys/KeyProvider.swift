public import FoundationEssentials
package import HLSPlaylist

/// A source of content keys that don't simply come from the address in the playlist: a key server with a protocol of
/// its own, a program, a file. Its owner decides which keys a provider is asked for; a playlist can't choose.
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
    /// Names it in errors and files: letters, digits, `.`, `_` and `-`.
    var name: String { get }
    /// Whether it is the one to ask for a key.
    func answers(for request: ContentKeyRequest) -> Bool
    /// The name of the content at the provider's service.
    func contentIdentifier(for request: ContentKeyRequest) -> String
    /// Asks for a key.
    ///
    /// - Parameter certificate: the application certificate; `nil` when it has none.
    /// - Throws: `StoreError.Code.key` when it refuses or answers with something else.
    func key(
        for request: ContentKeyRequest, certificate: [UInt8]?
    ) async throws(StoreError) -> ProvidedKey
    /// Gets the application certificate of its account; `nil` when it has none. What this gives is kept.
    func certificate() async throws(StoreError) -> [UInt8]?
    /// Tells certificates apart: when it changes, the certificate is asked for anew.
    var certificateSource: String? { get }
}

extension KeyProvider {
    /// The key's address, without its scheme.
    public func contentIdentifier(for request: ContentKeyRequest) -> String { request.identifier }
    /// There is none.
    public func certificate() async throws(StoreError) -> [UInt8]? { nil }
    /// There is none.
    public var certificateSource: String? { nil }
}

/// A content key that is asked for.
public struct ContentKeyRequest: Sendable {
    /// The asset; `nil` while it is only to be found out whether there can be one.
    public var token: AssetToken?
    /// The key's URI, absolute.
    public var uri: String
    /// KEYFORMAT; `identity` when the playlist has none.
    public var keyFormat: String
    /// How many bytes a key has that can be used as it is: 16, and 32 with METHOD=AES-256 and AES-256-GCM.
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
    /// A content key of as many bytes as were asked for, or the opaque blob of a key system.
    public var bytes: [UInt8]
    /// The time at which it should be asked for again; `nil` when never.
    public var renewalDate: Date? {
        get { renewAt?.date }
        set { renewAt = newValue.map { Timestamp($0) } }
    }
    package var renewAt: Timestamp?
    /// The type of a key system's blob; `nil` for a key that can be used as it is.
    public var contentType: String?

    /// A key, or the blob of a key system with its type.
    public init(_ bytes: [UInt8], renewalDate: Date? = nil, contentType: String? = nil) {
        self.init(bytes, renewAt: renewalDate.map { Timestamp($0) }, contentType: contentType)
    }

    package init(_ bytes: [UInt8], renewAt: Timestamp?, contentType: String?) {
        (self.bytes, self.renewAt, self.contentType) = (bytes, renewAt, contentType)
    }
}

/// The providers of a store, in order: of those who answer for a key, the first is asked.
package struct KeyProviders: Sendable {
    package var list: [any KeyProvider] = []
    /// The folder in which certificates are kept.
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

    /// The names of those who are to be asked for keys, each once.
    package func names(for keys: [KeySource]) -> [String] {
        var seen: Set<String> = []
        return keys.compactMap { provider(for: ContentKeyRequest($0, token: nil))?.name }
            .filter { seen.insert($0).inserted }
    }

    /// Whether there is somebody to ask about each encrypted segment of a playlist.
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
