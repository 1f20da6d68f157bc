internal import Crypto
package import SystemPackage

extension AddedSubtitles {
    /// Makes the folder.
    package func write(for token: AssetToken, in paths: StorePaths) throws(StoreError) {
        let folder = paths.rendition(token, row.name)
        try FileSystem.makeDirectory(folder)
        for (name, bytes) in [
            (row.sourceFile ?? "source", original), (Self.trackName, track),
            (ServedMediaPlaylist.fileName, playlist),
        ] {
            try DurableWrite.write(bytes, to: folder.appending(name))
            try paths.media?.keep(bytes, at: "\(row.name)/\(name)", of: token)
        }
    }

    /// The track's row, as stored in a folder.
    package static func unit(_ track: [UInt8], of rendition: Int64, in folder: FilePath) -> StoredUnit {
        StoredUnit(
            rendition: rendition, kind: .segment, number: 0, size: UInt64(track.count),
            sha256: Array(SHA256.hash(data: track)), folderTime: FileSystem.folderTime(folder))
    }
}
