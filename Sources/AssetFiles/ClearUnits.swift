internal import AssetStore
internal import HLSPlaylist
internal import SystemPackage

/// Reads whole units of a rendition in the clear, while the license is valid. Plain text is kept nowhere.
struct ClearUnits: Sendable {
    let store: OfflineStore
    let token: AssetToken
    let row: RenditionRecord
    /// Whether this counts as a play.
    var counts = false

    /// Bytes that a unit may have.
    static let largest = 512 << 20
    private static let piece = 4 << 20

    /// A stored unit that was opened.
    enum Opened {
        /// A file that is not encrypted.
        case file(OpenedFile)
        /// The clear content of an encrypted file.
        case encrypted(ClearMedia)
    }

    /// The bytes of a stored unit.
    ///
    /// - Throws: `license` or `key` when it can't be decrypted, `notWhole` when it is not there.
    func bytes(_ name: UnitName) throws(StoreError) -> [UInt8] { try bytes(of: open(name)) }

    /// All bytes of a unit that was opened.
    func bytes(of unit: Opened) throws(StoreError) -> [UInt8] {
        switch unit {
        case .encrypted(let media): try all(of: media)
        case .file(let file): try file.bytes(at: 0, count: file.size)
        }
    }

    /// Opens a stored unit.
    ///
    /// - Throws: `license` or `key` when it can't be decrypted, `notWhole` when it is not there.
    func open(_ name: UnitName) throws(StoreError) -> Opened {
        let fileName = fileName(name)
        let id = UnitID(rendition: row.name, kind: name.parts.0, number: name.parts.1)
        let path = try store.paths.file(of: id, token, named: fileName)
        let file = StoredFile(
            path: path, size: 0, entityTag: "",
            mark: PlayMark(key: UnitKey(token: token, unit: id), end: 0), container: row.container)
        guard FileSystem.facts(path)?.isRegular == true else {
            noteDamage(of: name)
            throw StoreError(.notWhole(token))
        }
        if let media = try store.media.clear(
            file, of: token, rendition: row.name, named: name, counts: counts)
        {
            return .encrypted(media)
        }
        let opened = try OpenedFile(path)
        guard opened.size <= Self.largest else { throw StoreError(.notWhole(token)) }
        return .file(opened)
    }

    /// Has the catalog note the unit as lost, if its file is missing or has another size.
    func noteDamage(of name: UnitName) {
        _ = try? store.reader.media.unit(
            token, row.name, named: name, extension: FilePath(fileName(name)).extension ?? "", counts: false)
    }

    private func fileName(_ name: UnitName) -> String {
        switch name {
        case .segment(let number): UnitFile.segment(number, row.container)
        case .initialization(let number): UnitFile.initialization(number)
        }
    }

    private func all(of media: ClearMedia) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: min(media.length ?? 0, UInt64(Self.largest))))
        while bytes.count <= Self.largest {
            switch media.read(at: UInt64(bytes.count), count: Self.piece) {
            case .bytes(let more): bytes += more
            case .end: return bytes
            case .wait, .failed: throw StoreError(.integrity(.undecryptable))
            }
        }
        throw StoreError(.notWhole(token))
    }
}
