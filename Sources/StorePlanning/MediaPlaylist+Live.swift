package import HLSPlaylist

extension MediaPlaylist {
    /// Whether segments may still be added.
    package var isLive: Bool { !hasEndList && playlistType != .vod }
}
