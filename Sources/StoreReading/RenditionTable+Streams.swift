internal import HLSPlaylist

extension RenditionTable {
    /// The streams from which renditions were made, as they were at that time.
    package func streams(
        of rows: [RenditionRecord], _ token: AssetToken
    ) throws(StoreError) -> [ResolvedStream] {
        var streams: [ResolvedStream] = []
        for row in rows where row.hasPlaylist && row.sourceFile == nil {
            guard let source = try mediaPlaylist(token, row.name) else { continue }
            streams.append(
                ResolvedStream(
                    selected: SelectedStream(kind: row.kind, uri: nil, required: row.required, listings: []),
                    url: source.url, playlist: source.playlist, container: row.container))
        }
        return streams
    }
}
