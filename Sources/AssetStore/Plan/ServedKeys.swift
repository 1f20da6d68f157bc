internal import Crypto
internal import HLSPlaylist

extension EncryptionKey.Method {
    /// Whether segments are encrypted as a whole, and not samples within them.
    var encryptsWholeSegments: Bool {
        switch self {
        case .none, .sampleAES, .sampleAESCTR: false
        default: true
        }
    }
}

/// How content keys of the origin become keys of ours. Players get the `identity` format only: FFmpeg takes
/// the last EXT-X-KEY of a segment and ignores KEYFORMAT.
struct ServedKeys {
    private let identifiers: [String: String]
    private let base: URIReference
    private let isClear: Bool

    /// No keys: what is served is in the clear.
    static let none = ServedKeys([], base: URIReference(""), isClear: true)

    /// - Parameters:
    ///   - keys: the asset's keys.
    ///   - base: the address of the playlist that names them.
    init(_ keys: [KeyRecord], base: URIReference, isClear: Bool = false) {
        self.isClear = isClear
        identifiers = Dictionary(keys.map { ($0.url, $0.id) }) { first, _ in first }
        self.base = base
    }

    /// The keys that a player gets for a segment.
    func served(_ keys: [EncryptionKey], folder: String) -> [EncryptionKey] {
        guard !isClear else { return [] }
        guard let key = Self.identity(keys) else {
            return keys.filter { $0.method != .none }.compactMap { foreign($0, folder) }
        }
        return identifier(of: key).map { [key.replacing(uri: "\(folder)/\($0).key")] } ?? []
    }

    /// A key of a key system, when there is no other: its URI is for that system to understand. Only one that leads
    /// to the network leads to the blob that was deposited in its place.
    private func foreign(_ key: EncryptionKey, _ folder: String) -> EncryptionKey? {
        guard let uri = key.uri, let id = identifier(of: key) else { return nil }
        let scheme = URIReference(uri).scheme?.lowercased()
        guard scheme == nil || scheme == "http" || scheme == "https" else { return key }
        return key.replacing(uri: "\(folder)/\(id).key")
    }

    /// The name of a key in the asset; `nil` when the asset does not have it.
    func identifier(of key: EncryptionKey) -> String? {
        key.uri.flatMap { identifiers[Self.address(of: $0, base: base)] }
    }

    /// The key of format `identity`, when there is one that encrypts.
    static func identity(_ keys: [EncryptionKey]) -> EncryptionKey? {
        keys.first { $0.keyFormat == "identity" && $0.method != .none }
    }

    /// What a key's URI is known by in the catalog. The bytes of a `data:` URI are the key, so that they are
    /// known by their hash; one without a comma holds no bytes, but may be such a hash.
    static func address(of uri: String, base: URIReference) -> String {
        guard uri.hasPrefix("data:") else { return URIReference(uri).resolved(against: base).description }
        guard uri.contains(",") else { return uri }
        let digest = SHA256.hash(data: Array(uri.utf8))
        return "data:" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension SourcePlaylist {
    /// The playlist with the hash in place of each key that it holds itself.
    func hiding(_ keys: [KeySource]) -> SourcePlaylist {
        var hidden = self
        for key in keys where key.uri.hasPrefix("data:") && key.keyFormat == nil {
            hidden.body = hidden.body.replacing(Array(key.uri.utf8), with: Array(key.address.utf8))
        }
        return hidden
    }
}
