/// A rendition made of a subtitle file: the user's file, and the track as one segment of WebVTT.
package struct AddedSubtitles: Sendable {
    package let row: RenditionRecord
    package let track: [UInt8]
    package let playlist: [UInt8]
    package let original: [UInt8]

    /// The file of the track in the rendition's folder.
    package static let trackName = UnitFile.segment(0, .vtt)

    package init(row: RenditionRecord, track: [UInt8], playlist: [UInt8], original: [UInt8]) {
        (self.row, self.track, self.playlist, self.original) = (row, track, playlist, original)
    }
}
