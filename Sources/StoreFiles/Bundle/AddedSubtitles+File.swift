internal import Crypto
package import SystemPackage

extension AddedSubtitles {
    /// Makes the folder.
    package func write(to folder: FilePath) throws(StoreError) {
        try FileSystem.makeDirectory(folder)
        try DurableWrite.write(original, to: folder.appending(row.sourceFile ?? "source"))
        try DurableWrite.write(track, to: folder.appending(Self.trackName))
        try DurableWrite.write(playlist, to: folder.appending(ServedMediaPlaylist.fileName))
    }

    /// The track's row, as stored in a folder.
    package static func unit(_ track: [UInt8], of rendition: Int64, in folder: FilePath) -> StoredUnit {
        StoredUnit(
            rendition: rendition, kind: .segment, number: 0, size: UInt64(track.count),
            sha256: Array(SHA256.hash(data: track)), folderTime: FileSystem.folderTime(folder))
    }
}
