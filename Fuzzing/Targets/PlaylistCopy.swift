internal import HLSPlaylist

/// The properties of a playlist that is written and read again.
///
/// The writers may reorder tags, leave out redundant ones, and replace variables by their values. There, a value may
/// contain characters that end a line or are dropped around it, so that such playlists are compared in part.
enum PlaylistCopy {
    static func check(_ source: MediaPlaylist) throws(Finding) {
        let first = source.mediaSequence + (source.skip?.skippedSegments ?? 0)
        guard first <= MediaPlaylist.largestSequenceNumber else { return }
        let written = rewritten(source)
        guard case .media(let copy)? = try? Playlist(parsing: written) else {
            throw Finding(description: "what is written is read again")
        }
        try expectSame(copy.segments.map(\.uri), source.segments.map(\.uri), "addresses of segments stay")
        try compareHeaders(copy, source)
        var discontinuities = source.discontinuitySequence
        for (segment, original) in zip(copy.segments, source.segments) {
            discontinuities += original.isDiscontinuity ? 1 : 0
            try Finding.expect(
                segment.discontinuitySequence == discontinuities, "discontinuities are counted on")
            try compare(segment, original)
            guard source.variables.isEmpty else { continue }
            try compareTags(segment, original)
            try Finding.expect(
                section(of: segment, in: copy) == section(of: original, in: source),
                "a segment keeps its initialization section")
        }
        guard source.variables.isEmpty else { return }
        try expectSame(
            copy.dateRanges.map(\.attributes), source.dateRanges.map(\.attributes), "date ranges stay")
        try expectSame(copy.trailingTags, source.trailingTags, "lines at the end stay")
        guard hasOneSpelling(source) else { return }
        try expectSame(rewritten(copy), written, "what was written is written again as it is")
    }

    /// Whether the written form has all facts by which sections differ. Keys of several formats may come in another
    /// order, and an address without its quotes may equal that of another section.
    private static func hasOneSpelling(_ source: MediaPlaylist) -> Bool {
        source.segments.allSatisfy { $0.keys.count < 2 }
            && source.initializationSections.allSatisfy { $0.keys.count < 2 && !$0.uri.utf8.contains(0x22) }
    }

    fileprivate static func expectSame<Value: Equatable>(
        _ copy: [Value], _ source: [Value], _ description: String
    ) throws(Finding) {
        try Finding.expect(copy == source, description)
    }

    private static func compareHeaders(_ copy: MediaPlaylist, _ source: MediaPlaylist) throws(Finding) {
        try Finding.expect(
            copy.hasEndList == source.hasEndList && copy.iFramesOnly == source.iFramesOnly
                && copy.independentSegments == source.independentSegments, "what the playlist is stays")
        try Finding.expect(copy.playlistType == source.playlistType, "its type stays")
        try Finding.expect(
            copy.discontinuitySequence == source.discontinuitySequence, "its discontinuities are counted on")
    }

    private static func compare(_ segment: MediaSegment, _ original: MediaSegment) throws(Finding) {
        try Finding.expect(
            segment.mediaSequence == original.mediaSequence && segment.duration == original.duration
                && segment.byteRange == original.byteRange, "a segment keeps number, duration and byte range")
        try Finding.expect(
            segment.isGap == original.isGap && segment.isDiscontinuity == original.isDiscontinuity
                && segment.programDateTime == original.programDateTime,
            "a segment keeps its date, and stays a gap or discontinuity")
    }

    private static func compareTags(_ segment: MediaSegment, _ original: MediaSegment) throws(Finding) {
        try Finding.expect(
            Set(segment.keys) == Set(original.keys), "a segment keeps its keys and vectors")
        try Finding.expect(segment.otherTags == original.otherTags, "a segment keeps its other lines")
    }

    /// The identifying facts of an initialization section; its address is written in quotes, so it can't contain any.
    private struct Section: Hashable {
        var uri: String
        var byteRange: ByteRange?
        var keys: Set<EncryptionKey>
    }

    private static func section(of segment: MediaSegment, in playlist: MediaPlaylist) -> Section? {
        segment.initializationSection.map { number in
            let section = playlist.initializationSections[number]
            let uri = AttributeList().setting("URI", quoted: section.uri)["URI"] ?? ""
            return Section(uri: uri, byteRange: section.byteRange, keys: Set(section.keys))
        }
    }

    private static func rewritten(_ source: MediaPlaylist) -> [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        for segment in source.segments {
            let section = segment.initializationSection.map { source.initializationSections[$0] }
            writer.append(SegmentEntry(segment, uri: segment.uri, initializationSection: section))
        }
        for tag in source.trailingTags { writer.append(tag: tag) }
        return writer.bytes
    }
}

extension PlaylistCopy {
    static func check(_ source: MultivariantPlaylist) throws(Finding) {
        // Other tags do not make it one.
        let isTold =
            !source.variants.isEmpty || !source.renditions.isEmpty || !source.iFrameStreams.isEmpty
        guard isTold, source.variables.isEmpty else { return }
        let written = rewritten(source)
        guard case .multivariant(let copy)? = try? Playlist(parsing: written) else {
            throw Finding(description: "what is written is read again")
        }
        try expectSame(copy.variants.map(\.uri), source.variants.map(\.uri), "addresses of variants stay")
        try expectSame(copy.variants.map(\.attributes), source.variants.map(\.attributes), "variants stay")
        try expectSame(copy.renditions.map(\.type), source.renditions.map(\.type), "types of renditions stay")
        try expectSame(
            copy.renditions.map(attributes), source.renditions.map(attributes), "renditions stay")
        try expectSame(
            copy.iFrameStreams.map { named($0.attributes, $0.uri) },
            source.iFrameStreams.map { named($0.attributes, $0.uri) }, "streams of I-frames stay")
        try expectSame(
            copy.imageStreams.map { named($0.attributes, $0.uri) },
            source.imageStreams.map { named($0.attributes, $0.uri) }, "streams of pictures stay")
        try expectSame(copy.sessionData, source.sessionData, "data of the session stay")
        try expectSame(copy.sessionKeys, source.sessionKeys, "keys of the session stay")
        try expectSame(copy.otherTags, source.otherTags, "other lines stay")
        try Finding.expect(
            copy.independentSegments == source.independentSegments, "what holds for all segments stays")
        try Finding.expect((copy.start == nil) == (source.start == nil), "the start stays")
        try expectSame(rewritten(copy), written, "what was written is written again as it is")
    }

    private static func attributes(_ rendition: Rendition) -> AttributeList {
        rendition.uri.map { named(rendition.attributes, $0) } ?? rendition.attributes
    }

    /// The attributes with the address as it is written: in quotes, and once.
    private static func named(_ attributes: AttributeList, _ uri: String) -> AttributeList {
        attributes.setting("URI", quoted: uri)
    }

    private static func rewritten(_ source: MultivariantPlaylist) -> [UInt8] {
        var writer = MultivariantPlaylistWriter()
        writer.independentSegments = source.independentSegments
        writer.start = source.start
        writer.sessionData = source.sessionData
        writer.sessionKeys = source.sessionKeys
        writer.renditions = source.renditions
        writer.variants = source.variants
        writer.iFrameStreams = source.iFrameStreams
        writer.imageStreams = source.imageStreams
        writer.otherTags = source.otherTags
        return writer.bytes
    }
}
