package import HLSPlaylist

/// The playlist of what was recorded of a rendition: a head and pieces, which make up one playlist when they are put
/// together. A piece is added for each load that brings something, and never changed.
package enum RecordedPlaylist {
    /// The address of what is missing.
    static let gapName = "gap"

    /// The tags that apply to all segments.
    package static func head(of source: MediaPlaylist, from first: MediaSegment) -> [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        writer.mediaSequence = first.mediaSequence
        writer.discontinuitySequence = first.discontinuitySequence - (first.isDiscontinuity ? 1 : 0)
        (writer.playlistType, writer.hasEndList, writer.start) = (nil, false, nil)
        return writer.bytes
    }

    /// The lines of what is new.
    ///
    /// - Parameter isFirst: whether no other piece stands before it, which may end with keys in force.
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
    ///   - start: where it begins, in seconds of the presentation.
    ///   - sections: those of the pieces before; what is new is added.
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
    ///   - number: that of the first segment.
    /// - Throws: why they can't be read: nothing of the recording could be, with them in it.
    package init(_ body: [UInt8], from number: Int) throws(PlaylistError) {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        let read = try Playlist(parsing: Array(head.utf8) + body, limits: .stored)
        guard case .media(let playlist) = read else { throw PlaylistError(code: .mixedKinds, line: 0) }
        self.body = body
        self.playlist = playlist
    }
}

/// The initialization sections of a rendition that is recorded. Their numbers are their places in its playlist; units are
/// those that segments need, from then on: what gaps (EXT-X-GAP) alone have need not be there.
package struct RecordedSections: Sendable {
    private var numbers: [InitializationSection: Int]
    private var units: Set<Int>

    /// - Parameters:
    ///   - listed: those of the playlist, in its order, each once.
    ///   - units: the numbers of those that are units.
    package init(_ listed: [InitializationSection], units: Set<Int>) {
        numbers = Dictionary(zip(listed, listed.indices)) { first, _ in first }
        self.units = units
    }

    /// Takes one that a piece lists.
    ///
    /// - Returns: its number, when it becomes a unit.
    package mutating func take(_ section: InitializationSection, isNeeded: Bool) -> Int? {
        let number = numbers[section] ?? numbers.count
        numbers[section] = number
        return isNeeded && units.insert(number).inserted ? number : nil
    }
}
