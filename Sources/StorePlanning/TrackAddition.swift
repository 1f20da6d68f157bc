package import HLSPlaylist

/// The streams that an asset lacks of a wider selection of its stream. Pure.
package struct TrackAddition {
    /// The stream that the asset's main variant was made of; `nil` when it is not listed any more.
    package private(set) var main: SelectedStream?
    /// The streams that it does not have.
    package private(set) var missing: [SelectedStream] = []
    /// All tags that list present renditions, by the rendition's row.
    package private(set) var listings: [(rendition: Int64, listings: [String])] = []
    /// The renditions that it has given up, to be tried again.
    package private(set) var lost: [Int64] = []

    /// - Parameters:
    ///   - streams: the streams of all selections so far, as they are now.
    ///   - wished: the tags of the streams that are selected now.
    ///   - rows: the asset's renditions.
    package init(_ streams: [SelectedStream], wished: Set<AttributeList>, to rows: [RenditionRecord]) {
        let mainRow = rows.first { $0.kind == .variant }
        main = streams.first { stream in mainRow.map(stream.isSource) ?? false }
        for stream in streams where !wished.isDisjoint(with: stream.listings) {
            guard let row = rows.first(where: stream.isSource) else {
                missing.append(stream)
                continue
            }
            if row.failure != nil { lost.append(row.id) }
            let fresh = stream.listings.filter { list in !row.isListed(as: list) }.map(\.verbatim)
            if !fresh.isEmpty { listings.append((row.id, row.listings + fresh)) }
        }
    }

    /// Whether the asset has all of them.
    package var isEmpty: Bool { missing.isEmpty && listings.isEmpty && lost.isEmpty }
}

extension RenditionRecord {
    fileprivate func isListed(as list: AttributeList) -> Bool {
        listings.contains { (try? AttributeList(parsing: $0))?.identity == list.identity }
    }
}

extension ResolvedStream {
    /// A copy with the values of variables (EXT-X-DEFINE) in place of their names. The multivariant playlist that an
    /// asset was made from may have others.
    package var withoutVariables: ResolvedStream {
        guard let playlist, !playlist.variables.isEmpty else { return self }
        var writer = MediaPlaylistWriter(header: playlist)
        for segment in playlist.segments {
            let section = segment.initializationSection.map { playlist.initializationSections[$0] }
            writer.append(SegmentEntry(segment, uri: segment.uri, initializationSection: section))
        }
        for tag in playlist.trailingTags { writer.append(tag: tag) }
        guard case .media(let plain)? = try? Playlist(parsing: writer.bytes) else { return self }
        var stream = self
        stream.playlist = plain
        return stream
    }
}

extension MediaPlaylist {
    /// The largest difference of one segment's length in two playlists, in seconds.
    private static let tolerance = 0.05

    /// Whether this playlist has all segments of an earlier one: by media sequence number, length, and date if both
    /// have one. Addresses may differ.
    package func continues(_ earlier: MediaPlaylist) -> Bool {
        guard let first = earlier.segments.first?.mediaSequence,
            let offset = segments.firstIndex(where: { $0.mediaSequence == first }),
            segments.count - offset >= earlier.segments.count
        else { return false }
        return zip(segments.dropFirst(offset), earlier.segments).allSatisfy { now, before in
            now.mediaSequence == before.mediaSequence && abs(now.duration - before.duration) < Self.tolerance
                && (now.programDateTime == nil || before.programDateTime == nil
                    || now.programDateTime == before.programDateTime)
        }
    }
}

/// The removal of some of an asset's renditions. Pure.
package struct TrackRemoval {
    /// The rows that go.
    package private(set) var removed: [RenditionRecord] = []
    /// Rows without which the asset is now of no use.
    package private(set) var promoted: [Int64] = []

    /// - Throws: `noSuchRendition`, or `mainRendition` for one that the asset is of no use without.
    package init(_ names: [String], from rows: [RenditionRecord]) throws(StoreError) {
        let main = rows.first { $0.kind == .variant }
        for name in names {
            guard let row = rows.first(where: { $0.name == name }) else {
                throw StoreError(.noSuchRendition(name))
            }
            if row.id == main?.id { throw StoreError(.mainRendition(name)) }
            if !removed.contains(row) { removed.append(row) }
        }
        let kept = rows.filter { row in !removed.contains(row) }
        for row in removed where row.required && row.kind != .variant {
            guard let other = row.substitute(among: kept) else { throw StoreError(.mainRendition(row.name)) }
            promoted.append(other.id)
        }
    }
}

extension RenditionRecord {
    /// The rendition that players get in its place: of its kind and a group of its, not given up, and stored
    /// completely if there is one.
    fileprivate func substitute(among others: [RenditionRecord]) -> RenditionRecord? {
        let fitting = others.filter { other in
            other.kind == kind && other.failure == nil && !other.groups.isDisjoint(with: groups)
        }
        return fitting.first(where: \.isComplete) ?? fitting.first
    }

    fileprivate var groups: Set<String> {
        Set(listings.compactMap { (try? AttributeList(parsing: $0))?["GROUP-ID"] })
    }
}
