internal import Crypto
internal import Foundation
internal import HLSPlaylist
package import SystemPackage

/// A folder of plain HLS, read by `file:` URLs. Files outside of it are never read, whatever its playlists name.
package struct LocalFolder: StreamSource {
    package let root: FilePath
    private let normalRoot: FilePath

    package init(root: FilePath) {
        self.root = root
        normalRoot = root.normalized
    }
    package static let schemes: Set<String> = ["file"]

    /// The address of a path.
    package static func url(_ path: FilePath) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ";?#"))
        return "file://" + (path.string.addingPercentEncoding(withAllowedCharacters: allowed) ?? path.string)
    }

    /// The path that a URL names, for people.
    package static func name(_ url: String) -> String {
        let path = URIReference(url).path
        return path.removingPercentEncoding ?? path
    }

    /// The file that a URL names.
    package func path(_ url: String) throws(StoreError) -> FilePath {
        let reference = URIReference(url)
        guard reference.scheme == "file", let text = reference.path.removingPercentEncoding else {
            throw StoreError(
                .notImportable("the playlist names \(reference.redacted), which is not in the folder"))
        }
        let path = FilePath(text).normalized
        guard path.isIn(normalRoot), isInside(path) else {
            throw StoreError(
                .notImportable("the playlist names \(path), which is outside of the folder \(root)"))
        }
        return path
    }

    /// Whether a path stays in the folder when links are followed; false for a missing file.
    private func isInside(_ path: FilePath) -> Bool {
        guard let real = FileSystem.realPath(path), let folder = FileSystem.realPath(root) else {
            return true
        }
        return real.isIn(folder)
    }

    /// Whether it has the bytes of a unit, the same as those that were copied, as far as these are known.
    package func has(_ unit: UnitRecord) throws(StoreError) -> Bool {
        var hash = SHA256()
        var size: UInt64 = 0
        do throws(StoreError) {
            try FilePieces.read(try path(unit.url), unit.range) { piece throws(StoreError) in
                unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
                size += UInt64(piece.byteCount)
            }
        } catch {
            if case .tooManyFiles = error.code { throw error }
            return false
        }
        let wanted = unit.size ?? unit.range?.length ?? size
        return size == wanted && (unit.sha256 == nil || unit.sha256 == Array(hash.finalize()))
    }

    package func playlist(_ url: String) async throws(StoreError) -> (bytes: [UInt8], url: String) {
        (try content(url, limit: Int(Origin.playlistLimit)), url)
    }

    package func key(_ url: String) async throws(StoreError) -> [UInt8] {
        let path = try path(url)
        guard FileSystem.facts(path) != nil else {
            throw StoreError(.key(.notInFolder), url: path.string)
        }
        return try content(url, limit: Int(Origin.keyLimit))
    }

    package func beginning(
        of url: String, range: ClosedOffsetRange?, count: UInt64, isNeeded: Bool
    ) async throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        let wanted = ClosedOffsetRange(offset: range?.offset ?? 0, length: min(count, range?.length ?? count))
        try FilePieces.read(try path(url), wanted) { piece throws(StoreError) in
            unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private func content(_ url: String, limit: Int) throws(StoreError) -> [UInt8] {
        let path = try path(url)
        guard let bytes = try DurableWrite.read(path, limit: limit) else {
            throw .system(.open, path, reason: .noSuchFileOrDirectory)
        }
        return bytes
    }
}

extension AssetRecord {
    /// The folder of an imported asset; `nil` for other assets.
    package var folder: LocalFolder? {
        guard sourceURL.hasPrefix("file:") else { return nil }
        let file = URIReference(sourceURL).path.removingPercentEncoding ?? ""
        return LocalFolder(root: FilePath(file).parent)
    }
}
