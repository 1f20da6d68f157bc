internal import Crypto
internal import FoundationEssentials
package import HLSPlaylist

extension EncryptionKey.Method {
    /// Whether segments are encrypted as a whole, not by sample.
    package var encryptsWholeSegments: Bool {
        switch self {
        case .none, .sampleAES, .sampleAESCTR: false
        default: true
        }
    }

    /// Whether segments are encrypted as a whole in CBC mode: padded to blocks of 16 bytes, with an initialization
    /// vector that may follow from the segment's number.
    package var chainsBlocks: Bool { self == .aes128 || self == .aes256 }

    /// The length of a key in bytes.
    package var keyLength: Int { verbatim.hasPrefix("AES-256") ? 32 : 16 }
}

/// Turns the keys of the origin's playlist into the keys of the served playlist. If a segment has a key that players
/// can use, only that key is served, because FFmpeg takes the last EXT-X-KEY of a segment and ignores KEYFORMAT.
package struct ServedKeys {
    private let identifiers: [String: String]
    /// Addresses of keys that players can use directly, whatever format the playlist names.
    private let usable: Set<String>
    private let base: URIReference
    private let isClear: Bool
    /// Keys that the playlist does not name, by the index of the initialization section whose samples they decrypt.
    package var ofSections: [Int: EncryptionKey] = [:]
    /// Whether `ofSections` takes precedence over the playlist's keys.
    package var prefersSections = false

    /// No keys, for media served in the clear.
    package static let none = ServedKeys([], base: URIReference(""), isClear: true)

    /// - Parameters:
    ///   - keys: the asset's keys.
    ///   - base: the address of the playlist that names them.
    package init(_ keys: [KeyRecord], base: URIReference, isClear: Bool = false) {
        self.isClear = isClear
        identifiers = Dictionary(keys.map { ($0.url, $0.id) }) { first, _ in first }
        usable = Set(keys.filter { $0.format == nil && !$0.isOfIdentifier }.map(\.url))
        self.base = base
    }

    /// The keys that a player gets for a segment.
    ///
    /// - Parameter section: the segment's initialization section.
    package func served(_ keys: [EncryptionKey], folder: String, section: Int? = nil) -> [EncryptionKey] {
        guard !isClear else { return [] }
        let own = usable(keys)
        let isOpen = own == nil || prefersSections && own?.method.encryptsWholeSegments != true
        if isOpen, let key = section.flatMap({ ofSections[$0] }),
            keys.isEmpty || keys.contains(where: { $0.method != .none })
        {
            return [key]
        }
        guard let own else { return keys.filter { $0.method != .none }.compactMap { foreign($0, folder) } }
        let key = own.asIdentity
        return identifier(of: own).map { [key.replacing(uri: "\(folder)/\($0).key")] } ?? []
    }

    /// The key that players can use directly: of format `identity`, or one that a provider gave in that form.
    package func usable(_ keys: [EncryptionKey]) -> EncryptionKey? {
        Self.identity(keys)
            ?? keys.first { key in
                key.method != .none
                    && key.uri.map { usable.contains(Self.address(of: $0, base: base)) } == true
            }
    }

    /// The served form of a key of a key system. Its URI is for that system and stays. Only an HTTP or relative URI is
    /// replaced by the address of the key's data on this server.
    private func foreign(_ key: EncryptionKey, _ folder: String) -> EncryptionKey? {
        guard let uri = key.uri, let id = identifier(of: key) else { return nil }
        let scheme = URIReference(uri).scheme?.lowercased()
        guard scheme == nil || scheme == "http" || scheme == "https" else {
            return key.replacing(uri: uri)
        }
        return key.replacing(uri: "\(folder)/\(id).key")
    }

    /// The name of a key in the asset; `nil` when the asset does not have it.
    package func identifier(of key: EncryptionKey) -> String? {
        key.uri.flatMap { identifiers[Self.address(of: $0, base: base)] }
    }

    /// The key of format `identity`, when there is one that encrypts.
    package static func identity(_ keys: [EncryptionKey]) -> EncryptionKey? {
        keys.first { $0.keyFormat == "identity" && $0.method != .none }
    }

    /// The text that stands for a key's URI in the catalog: the absolute URI. A `data:` URI contains the key itself,
    /// so its hash is used. A `data:` URI without a comma contains no key, and stays: it may be such a hash.
    package static func address(of uri: String, base: URIReference) -> String {
        guard KeySource.isInline(uri) else { return URIReference(uri).resolved(against: base).description }
        guard uri.contains(",") else { return uri }
        let digest = SHA256.hash(data: Array(uri.utf8))
        return "data:" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension EncryptionKey {
    /// A copy of the key without the name of a key system.
    fileprivate var asIdentity: EncryptionKey {
        guard keyFormat != "identity" else { return self }
        let list = attributes.removing("KEYFORMAT").removing("KEYFORMATVERSIONS").removing("KEYID")
        return EncryptionKey(list) ?? self
    }
}

extension SourcePlaylist {
    /// The playlist with a hash in place of each `data:` URI, which contains a key.
    package func hiding(_ keys: [KeySource]) -> SourcePlaylist {
        let inline = keys.filter { $0.isInline && $0.keyFormat == nil }
        guard !inline.isEmpty else { return self }
        let hashes = inline.map { (Array($0.uri.utf8), Array($0.address.utf8)) }
        var hidden = self
        hidden.body = Self.replaced(body, by: Dictionary(hashes) { first, _ in first })
        return hidden
    }

    /// The text with some URIs replaced by others. A URI stands between quotes or on a line of its own.
    private static func replaced(_ text: [UInt8], by others: [[UInt8]: [UInt8]]) -> [UInt8] {
        let scheme = Array("data:".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(where: endsPiece) ?? text.endIndex
            let piece = text[start..<end]
            // The bit 0x20 makes a letter lower case.
            let isInline = piece.count >= scheme.count && zip(piece, scheme).allSatisfy { $0 | 0x20 == $1 }
            if isInline, let other = others[Array(piece)] { result += other } else { result += piece }
            if end < text.endIndex { result.append(text[end]) }
            start = end + 1
        }
        return result
    }

    private static func endsPiece(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension KeyRecord {
    /// The key for the multivariant playlist (RFC 8216bis, section 4.4.6.5), so that players can fetch it early;
    /// `nil` for keys of key systems, and for missing keys.
    package var sessionKey: EncryptionKey? {
        guard let method, format == nil, !isOfIdentifier, sealed != nil else { return nil }
        return EncryptionKey(method: EncryptionKey.Method(method), uri: "keys/\(id).key")
    }
}

extension ServedKeys {
    /// Whether the segments of two playlists have the same keys: their key URIs are equal as written, or after
    /// resolution against the playlists' addresses.
    package static func agree(
        _ one: MediaPlaylist, at first: String, _ other: MediaPlaylist, at second: String
    ) -> Bool {
        agree(one, other) { left, right in
            left == right
                || address(of: left, base: URIReference(first))
                    == address(of: right, base: URIReference(second))
        }
    }

    /// Whether two playlists probably have the same keys: the last path components of the key URIs are equal. Hosts
    /// and tokens may differ.
    package static func isAlike(_ one: MediaPlaylist, _ other: MediaPlaylist) -> Bool {
        agree(one, other) { name(of: $0) == name(of: $1) }
    }

    private static func agree(
        _ one: MediaPlaylist, _ other: MediaPlaylist, isSameKey: (_ uri: String, _ other: String) -> Bool
    ) -> Bool {
        let offset = one.segments.firstIndex { $0.mediaSequence == other.segments.first?.mediaSequence }
        return zip(one.segments.dropFirst(offset ?? 0), other.segments).allSatisfy { left, right in
            guard let l = identity(left.keys), let r = identity(right.keys) else {
                return identity(left.keys) == identity(right.keys)
            }
            return l.method == r.method && l.ivText == r.ivText && isSameKey(l.uri ?? "", r.uri ?? "")
        }
    }

    private static func name(of uri: String) -> Substring? {
        URIReference(address(of: uri, base: URIReference(""))).path.split(separator: "/").last
    }
}
