package import HLSPlaylist

/// Gives the I-frames of a transport stream its tables (PAT and PMT). The tables are at the beginning of the
/// resources of which I-frames are byte ranges (RFC 8216bis, section 4.4.3.6), where players find them; in the store
/// each I-frame is a file of its own. One initialization section serves all I-frames between two discontinuities,
/// since they have the same tables. Pure.
package struct IFrameSections {
    /// The size of a packet in bytes.
    private static let packet = 188
    /// Bytes of a resource among which the tables are, at most.
    private static let limit = 32 * packet

    /// The playlist with such sections. It is unchanged if it has sections, if its end is unknown, or if segments are
    /// encrypted as a whole, so that a part of a resource can't be read by itself.
    package static func added(to playlist: MediaPlaylist) -> MediaPlaylist {
        guard playlist.iFramesOnly, !playlist.isLive, playlist.initializationSections.isEmpty,
            !playlist.segments.contains(where: { $0.keys.contains(where: \.method.encryptsWholeSegments) })
        else { return playlist }
        let sections = sections(of: playlist)
        // A section applies until the next one.
        guard playlist.segments.allSatisfy({ sections[$0.discontinuitySequence] != nil }) else {
            return playlist
        }
        return written(playlist, with: sections)
    }

    /// The section of each discontinuity, as far as its I-frames lack one.
    private static func sections(of playlist: MediaPlaylist) -> [Int: InitializationSection] {
        var offsets: [String: Int] = [:]
        for segment in playlist.segments {
            guard let offset = segment.byteRange?.offset else { continue }
            offsets[segment.uri] = min(offsets[segment.uri] ?? .max, offset)
        }
        var sections: [Int: InitializationSection] = [:]
        for segment in playlist.segments
        where !segment.isGap && sections[segment.discontinuitySequence] == nil {
            let length = min(offsets[segment.uri] ?? 0, limit) / packet * packet
            guard length > 0 else { continue }
            sections[segment.discontinuitySequence] = InitializationSection(
                uri: segment.uri, byteRange: ByteRange(length: length, offset: 0), keys: segment.keys)
        }
        return sections
    }

    private static func written(
        _ playlist: MediaPlaylist, with sections: [Int: InitializationSection]
    ) -> MediaPlaylist {
        var writer = MediaPlaylistWriter(header: playlist)
        for segment in playlist.segments {
            let section = sections[segment.discontinuitySequence]
            writer.append(SegmentEntry(segment, uri: segment.uri, initializationSection: section))
        }
        for tag in playlist.trailingTags { writer.append(tag: tag) }
        guard case .media(let whole)? = try? Playlist(parsing: writer.bytes) else { return playlist }
        return whole
    }
}
