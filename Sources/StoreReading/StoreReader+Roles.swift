extension StoreReader {
    /// The playlists that players are served.
    package var playlists: PlaylistSource { PlaylistSource(reader: self) }
    /// The files for players: media and posters, and the facts of missing ones.
    package var media: StoredMedia { StoredMedia(reader: self) }
    /// The subtitles of assets: a track for each language, segments of it.
    public var captions: StoredSubtitles { StoredSubtitles(reader: self) }
    /// The tags and plays of assets, and the search.
    package var viewing: StoredViewing { StoredViewing(reader: self) }
    /// The folders that no row of the catalog knows.
    package var orphans: Orphans { Orphans(reader: self) }
    /// Copies assets out of the store.
    package var exporter: AssetExporter { AssetExporter(reader: self) }
}

/// One subject of a reader. It holds only the reader.
protocol ReaderRole: Sendable {
    var reader: StoreReader { get }
}

extension ReaderRole {
    package var catalog: Catalog? { reader.catalog }
    var paths: StorePaths { reader.paths }
}
