internal import FoundationEssentials
package import HLSPlaylist

extension RenditionRecord {
    /// The attributes of the tag that lists it first.
    package var attributes: AttributeList {
        listings.first.flatMap { try? AttributeList(parsing: $0) } ?? AttributeList()
    }

    /// Whether these are subtitles to be shown to everybody.
    package var isForced: Bool { kind == .subtitles && attributes.isYes("FORCED") }

    /// Whether players get it as WebVTT that is made for them. Plain WebVTT segments of the stream go out as they
    /// are.
    ///
    /// - Parameter isEncrypted: whether its segments are.
    package func isGenerated(isEncrypted: Bool) -> Bool {
        kind == .subtitles && hasPlaylist && (sourceFile != nil || container != .vtt || isEncrypted)
    }
}
