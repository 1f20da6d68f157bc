extension StoreReader {
    /// The playlists that players are served.
    package var playlists: PlaylistSource { PlaylistSource(reader: self) }
    /// The files that players are served: media, posters, and what is known of those that are absent.
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

/// One of a reader's subjects; it holds nothing but the reader.
protocol ReaderRole: Sendable {
    var reader: StoreReader { get }
}

extension ReaderRole {
    var catalog: Catalog? { reader.catalog }
    var paths: StorePaths { reader.paths }
}
