internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import HLSPlaylist
internal import SystemPackage

/// Reads the stored segments of a rendition, decrypted (RFC 8216bis, section 4.4.4.4). Plain text is made for the
/// moment and stored nowhere.
struct ClearSegments {
    let playlist: MediaPlaylist
    private let paths: StorePaths
    private let token: AssetToken
    private let rendition: String
    private let container: ContainerFormat
    /// The asset's keys by their address, in the clear.
    private let keys: [String: [UInt8]]
    /// The keys of the asset, and their form.
    private let served: ServedKeys
    private let base: URIReference

    /// - Parameters:
    ///   - source: the origin's playlist, which has the initialization vectors.
    ///   - url: the playlist's address.
    init(
        _ source: MediaPlaylist, url: String, paths: StorePaths, token: AssetToken, rendition: String,
        container: ContainerFormat,
        keys: [String: [UInt8]], records: [KeyRecord]
    ) {
        playlist = source
        served = ServedKeys(records, base: URIReference(url))
        base = URIReference(url)
        (self.paths, self.token, self.rendition) = (paths, token, rendition)
        self.container = container
        self.keys = keys
    }

    /// A segment's bytes, `limit` at most; `nil` when it is not stored or can't be decrypted.
    ///
    /// - Parameter count: reads only so many of its first bytes.
    func segment(_ segment: MediaSegment, first count: Int? = nil) throws(StoreError) -> [UInt8]? {
        let number = segment.mediaSequence
        let path = try file(.segment, number, named: UnitFile.segment(number, container))
        let vector = InitializationVector(mediaSequence: segment.mediaSequence)
        return try read(path, segment.keys, vector: vector, first: count)
    }

    /// Whether the file of a segment or an initialization section still has its stored length.
    func has(_ unit: UnitOutline) -> Bool {
        if unit.isInBucket { return true }
        try? paths.media?.restore(token)
        let name =
            unit.kind == .segment
            ? UnitFile.segment(unit.number, container)
            : UnitFile.initialization(unit.number)
        guard let facts = FileSystem.facts(paths.rendition(token, rendition).appending(name)) else {
            return false
        }
        return facts.isRegular && facts.size == unit.size
    }

    /// An initialization section, by its place in the playlist.
    func initialization(_ number: Int) throws(StoreError) -> [UInt8]? {
        let path = try file(.initialization, number, named: UnitFile.initialization(number))
        return try read(path, playlist.initializationSections[number].keys, vector: nil, first: nil)
    }

    private func file(_ kind: UnitKind, _ number: Int, named name: String) throws(StoreError) -> FilePath {
        try paths.file(
            of: UnitID(rendition: rendition, kind: kind, number: number), token, named: name)
    }

    /// - Parameter vector: the initialization vector for a key without one.
    private func read(
        _ path: FilePath, _ keys: [EncryptionKey], vector: InitializationVector?, first count: Int?
    ) throws(StoreError) -> [UInt8]? {
        guard let facts = FileSystem.facts(path), facts.isRegular else { return nil }
        let range = ClosedOffsetRange(offset: 0, length: UInt64(min(count ?? Self.limit, Self.limit)))
        let bytes = try FilePieces.bytes(path, range)
        let isCut = UInt64(bytes.count) < facts.size
        guard let key = served.usable(keys), key.method.encryptsWholeSegments else { return bytes }
        return decrypted(bytes, key, vector: key.iv ?? vector, isCut: isCut)
    }

    /// How much is read of a file, in bytes.
    static let limit = 64 << 20

    private func decrypted(
        _ bytes: [UInt8], _ key: EncryptionKey, vector: InitializationVector?, isCut: Bool
    ) -> [UInt8]? {
        guard key.method.chainsBlocks, let uri = key.uri, let vector,
            let content = keys[ServedKeys.address(of: uri, base: base)],
            let start = try? AES._CBC.IV(ivBytes: vector.bytes)
        else { return nil }
        let whole = bytes.prefix(bytes.count / 16 * 16)
        let key = SymmetricKey(data: content)
        return (try? AES._CBC.decrypt(whole, using: key, iv: start, noPadding: isCut)).map { [UInt8]($0) }
    }
}
