package import HLSPlaylist

/// The additions to a recording from one load of a playlist.
package struct LiveGrowth: Sendable {
    /// The new segments, with the addresses that they have at the origin.
    package var entries: [SegmentEntry] = []
    /// Lines that belong before them.
    package var tags: [String] = []
    /// The gap, if segments were missed.
    package var gap: RecordedGap?
    /// Whether the stream has ended.
    package var hasEnded: Bool
    /// Whether the recording has the requested length.
    package var isFull = false
    /// The new segments as the origin lists them, with their keys.
    package var keySets: [(playlist: MediaPlaylist, segment: MediaSegment)] = []

    package init(hasEnded: Bool) { self.hasEnded = hasEnded }

    /// Seconds.
    package var duration: Double { entries.reduce(0) { $0 + $1.duration } }

    /// All keys that the new entries name, in order, including those of gaps.
    package func namedKeys(base: URIReference) -> [KeySource] {
        let sections = entries.compactMap(\.initializationSection?.keys)
        return KeySource.all(of: sections + entries.map(\.keys), base: base)
    }

    /// The keys that the new segments need, in order; gaps (EXT-X-GAP) need none.
    package func keys(base: URIReference) -> [KeySource] {
        var sets: [[EncryptionKey]] = []
        for (playlist, segment) in keySets where !segment.isGap {
            if let section = segment.initializationSection {
                sets.append(playlist.initializationSections[section].keys)
            }
            sets.append(segment.keys)
        }
        return KeySource.all(of: sets, base: base)
    }
}

/// Reads segments of a playlist of the origin as a recording keeps them.
package struct SegmentReader: Sendable {
    package let playlist: MediaPlaylist
    package let base: URIReference
    package let listed: [SegmentIdentity]

    /// The number of segments in an earlier load before this one's first; 0 if that load was of another stream.
    func numberAhead(in earlier: SegmentReader) -> Int {
        guard let first = playlist.segments.first, let old = earlier.playlist.segments.first else { return 0 }
        let ahead = first.mediaSequence - old.mediaSequence
        guard (0...earlier.listed.count).contains(ahead) else { return 0 }
        let isSame = zip(earlier.listed.dropFirst(ahead), listed).allSatisfy { $0.isLike($1) }
        return isSame ? ahead : 0
    }

    /// A segment with its address at the origin; a gap if its line would be too long to be read again.
    ///
    /// - Parameter isShifted: whether its number differs from the origin's: then initialization vectors that follow
    ///   from the number are written out.
    package func entry(_ segment: MediaSegment, isShifted: Bool) -> SegmentEntry {
        let section = segment.initializationSection.map { number in
            let section = playlist.initializationSections[number]
            return InitializationSection(
                uri: absolute(section.uri), byteRange: section.byteRange, keys: section.keys.map(absolute))
        }
        var entry = SegmentEntry(segment, uri: absolute(segment.uri), initializationSection: section)
        entry.keys = segment.keys.map { key in
            // A provider may give a key of another format in plain form.
            let isByNumber = key.keyFormat == "identity" || key.method.chainsBlocks
            guard isShifted, key.ivText == nil, isByNumber else { return absolute(key) }
            return absolute(key).replacing(iv: InitializationVector(mediaSequence: segment.mediaSequence))
        }
        entry.otherTags = segment.otherTags.filter { !$0.hasPrefix("#EXT-X-DATERANGE") }
        if !Self.isReadable(entry) {
            (entry.uri, entry.isGap, entry.byteRange) = (RecordedPlaylist.gapName, true, nil)
            (entry.initializationSection, entry.keys) = (nil, [])
        }
        return entry
    }

    /// The largest number of bytes of a line beside its address, or beside the attributes of its key.
    private static let lineOverhead = 128

    /// Whether the lines with absolute addresses, which are longer than the origin's, are within the limit of a line.
    private static func isReadable(_ entry: SegmentEntry) -> Bool {
        let limit = ParseLimits().lineLength - lineOverhead
        let section = entry.initializationSection
        let keys = entry.keys + (section?.keys ?? [])
        return entry.uri.utf8.count <= limit && (section?.uri.utf8.count ?? 0) <= limit
            && keys.allSatisfy { $0.attributes.verbatim.utf8.count <= limit }
    }

    private func absolute(_ uri: String) -> String {
        KeySource.isInline(uri) ? uri : URIReference(uri).resolved(against: base).description
    }

    private func absolute(_ key: EncryptionKey) -> EncryptionKey {
        key.uri.map { key.replacing(uri: absolute($0)) } ?? key
    }
}
