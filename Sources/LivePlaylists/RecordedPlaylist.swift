package import HLSPlaylist

/// The playlist of a recorded rendition: a head and pieces, which form one playlist when they are joined. Each load
/// with new segments adds a piece, which never changes.
package enum RecordedPlaylist {
    /// The address of missed segments.
    static let gapName = "gap"

    /// The tags that apply to all segments.
    package static func head(of source: MediaPlaylist, from first: MediaSegment) -> [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        writer.mediaSequence = first.mediaSequence
        writer.discontinuitySequence = first.discontinuitySequence - (first.isDiscontinuity ? 1 : 0)
        (writer.playlistType, writer.hasEndList, writer.start) = (nil, false, nil)
        return writer.bytes
    }

    /// The lines of the new segments.
    ///
    /// - Parameter isFirst: whether no other piece, which may end with keys in force, stands before it.
    package static func piece(_ growth: LiveGrowth, isFirst: Bool) -> [UInt8] {
        var writer = MediaPlaylistWriter()
        var entries = growth.entries
        if entries.isEmpty {
            for tag in growth.tags { writer.append(tag: tag) }
        } else {
            entries[0].otherTags = growth.tags + entries[0].otherTags
            if !isFirst { writer.append(tag: "#EXT-X-KEY:METHOD=NONE") }
        }
        for entry in entries { writer.append(entry) }
        return writer.appended
    }

    /// The units that a piece adds.
    ///
    /// - Parameters:
    ///   - playlist: the piece.
    ///   - start: the start time of the piece in the presentation, in seconds.
    ///   - sections: the sections of the pieces before; new ones are added.
    package static func units(
        of playlist: MediaPlaylist, start: Double, sections: inout RecordedSections
    ) -> [UnitRecord] {
        let needed = playlist.neededSections
        return PlannedRendition.units(of: playlist, at: URIReference("")).compactMap { unit in
            var unit = unit
            guard unit.kind == .initialization else {
                unit.start += start
                return unit
            }
            let section = playlist.initializationSections[unit.number]
            guard let number = sections.take(section, isNeeded: needed.contains(unit.number)) else {
                return nil
            }
            unit.number = number
            return unit
        }
    }
}

/// Lines that are added to a recording.
package struct RecordedPiece: Sendable {
    /// The lines.
    package let body: [UInt8]
    /// The new lines, read again by themselves.
    package let playlist: MediaPlaylist

    /// - Parameters:
    ///   - body: the lines.
    ///   - number: the number of the first segment.
    /// - Throws: the reason for which they can't be read: the whole recording would be unreadable with them.
    package init(_ body: [UInt8], from number: Int) throws(PlaylistError) {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        let read = try Playlist(parsing: Array(head.utf8) + body, limits: .stored)
        guard case .media(let playlist) = read else { throw PlaylistError(code: .mixedKinds, line: 0) }
        self.body = body
        self.playlist = playlist
    }
}

/// The initialization sections of a recorded rendition. Their numbers are their positions in its playlist. Those that
/// segments need are units; sections that only gaps (EXT-X-GAP) have need not be stored.
package struct RecordedSections: Sendable {
    private var numbers: [InitializationSection: Int]
    private var units: Set<Int>

    /// - Parameters:
    ///   - listed: the sections of the playlist, in order, each once.
    ///   - units: the numbers of the sections that are units.
    package init(_ listed: [InitializationSection], units: Set<Int>) {
        numbers = Dictionary(zip(listed, listed.indices)) { first, _ in first }
        self.units = units
    }

    /// Takes a section that a piece lists.
    ///
    /// - Returns: its number, when it becomes a unit.
    package mutating func take(_ section: InitializationSection, isNeeded: Bool) -> Int? {
        let number = numbers[section] ?? numbers.count
        numbers[section] = number
        return isNeeded && units.insert(number).inserted ? number : nil
    }
}
