package import HLSPlaylist
internal import SystemPackage

/// The media playlist for players: the origin's, with local names and without addresses elsewhere.
package struct ServedMediaPlaylist {
    package let source: MediaPlaylist
    private let keys: ServedKeys
    package let format: ContainerFormat
    private let query: String
    private let gaps: Set<Int>
    package let interstitials: LocalInterstitials
    /// Whether gaps list initialization sections that no earlier segment needs, as earlier versions wrote them.
    package var listsAllSections = false
    /// Whether its segments are converted to fragmented MP4: then each discontinuity has an initialization section,
    /// and nothing is encrypted.
    package var isConverted = false
    /// The start of playback; `nil` keeps the origin's start, or leaves the start to players if only stored segments
    /// are listed.
    package var start: StartPoint?
    package static let fileName = "media.m3u8"
    package static let end = Array("#EXT-X-ENDLIST\n".utf8)

    /// - Parameters:
    ///   - query: the query behind the name of each file.
    ///   - gaps: the numbers of segments that are lost, beside the source's own gaps.
    ///   - interstitials: the stored ones; others are dropped.
    package init(
        _ source: MediaPlaylist, keys: ServedKeys, format: ContainerFormat, query: String = "",
        gaps: Set<Int> = [], interstitials: LocalInterstitials = .none
    ) {
        self.interstitials = interstitials
        self.query = query
        self.gaps = gaps
        self.source = source
        self.keys = keys
        self.format = format
    }

    /// The whole presentation, as VOD.
    package var bytes: [UInt8] {
        var writer = MediaPlaylistWriter(header: source)
        writer.playlistType = .vod
        writer.hasEndList = true
        if let start { writer.start = start }
        let sections = sections
        for segment in source.segments { writer.append(entry(segment, sections)) }
        for tag in source.trailingTags.compactMap(interstitials.local) { writer.append(tag: tag) }
        return writer.bytes
    }

    /// An initialization section under the name of its file.
    package struct Section {
        package var listed: InitializationSection
        /// The number of the first segment that needs it.
        package var first: Int

        package init(listed: InitializationSection, first: Int) {
            self.listed = listed
            self.first = first
        }
    }

    /// The initialization sections; `nil` for a section that only gaps have.
    package var sections: [Section?] {
        let needs = source.firstNeeds
        return source.initializationSections.enumerated().map { number, section -> Section? in
            guard let first = listsAllSections ? 0 : needs[number] else { return nil }
            let listed = InitializationSection(
                uri: UnitFile.initialization(number) + query,
                keys: keys.served(section.keys, folder: "../keys", section: number))
            return Section(listed: listed, first: first)
        }
    }

    /// A segment under the name of its file. A gap lists a section only if an earlier segment needs it: otherwise a
    /// later addition to a growing playlist would change lines that players have (RFC 8216bis, section 6.2.1).
    package func entry(_ segment: MediaSegment, _ sections: [Section?]) -> SegmentEntry {
        if isConverted { return convertedEntry(segment) }
        let section = segment.initializationSection.flatMap { sections[$0] }
        let isListed = section.map { $0.first <= segment.mediaSequence } ?? false
        var entry = SegmentEntry(
            segment, uri: UnitFile.segment(segment.mediaSequence, format) + query,
            initializationSection: isListed ? section?.listed : nil)
        entry.byteRange = nil
        entry.isGap = entry.isGap || gaps.contains(segment.mediaSequence)
        entry.keys = keys.served(
            segment.keys, folder: "../keys", section: segment.initializationSection)
        entry.otherTags = segment.otherTags.compactMap(interstitials.local)
        return entry
    }

    private func convertedEntry(_ segment: MediaSegment) -> SegmentEntry {
        let section = UnitFile.initialization(segment.discontinuitySequence) + query
        var entry = SegmentEntry(
            segment, uri: UnitFile.segment(segment.mediaSequence, .m4s) + query,
            initializationSection: InitializationSection(uri: section))
        entry.byteRange = nil
        entry.isGap = entry.isGap || gaps.contains(segment.mediaSequence)
        entry.keys = []
        entry.otherTags = segment.otherTags.compactMap(interstitials.local)
        return entry
    }

    /// The date ranges that came with segments that are not listed, which they outlive.
    package func dateRanges(of segments: some Sequence<MediaSegment>) -> [String] {
        segments.flatMap(\.otherTags).filter { $0.hasPrefix("#EXT-X-DATERANGE") }
            .compactMap(interstitials.local)
    }
}
