import AssetStore

extension AssetRendition {
    /// A rendition of an asset that no store has.
    static func made(
        _ name: String, kind: RenditionKind, _ change: (inout AssetRendition) -> Void = { _ in }
    ) -> AssetRendition {
        var rendition = AssetRendition(
            RenditionRecord(
                name: name, position: 0, kind: kind, required: true, listings: [], hasPlaylist: true,
                container: .ts, duration: 8, segments: 4))
        change(&rendition)
        return rendition
    }
}
