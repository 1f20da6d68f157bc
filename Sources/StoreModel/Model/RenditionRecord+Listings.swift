internal import FoundationEssentials
package import HLSPlaylist

extension RenditionRecord {
    /// The attributes of the tag that lists it first.
    package var attributes: AttributeList {
        listings.first.flatMap { try? AttributeList(parsing: $0) } ?? AttributeList()
    }

    /// Whether these are subtitles for every viewer (FORCED).
    package var isForced: Bool { kind == .subtitles && attributes.isYes("FORCED") }

    /// CHANNELS, and the group: GROUP-ID, or AUDIO of a variant.
    var sound: (channels: String?, group: String?) {
        let attributes = attributes
        return (attributes["CHANNELS"], attributes[kind == .variant ? "AUDIO" : "GROUP-ID"])
    }

    /// Whether players get generated WebVTT. Plain WebVTT segments of the stream are served unchanged.
    ///
    /// - Parameter isEncrypted: whether its segments are encrypted.
    package func isGenerated(isEncrypted: Bool) -> Bool {
        kind == .subtitles && hasPlaylist && (sourceFile != nil || container != .vtt || isEncrypted)
    }
}
