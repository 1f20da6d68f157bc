internal import ASCII

extension MediaPlaylist {
    /// The whole playlist for a delta update of this one (RFC 8216bis §6.2.5.1): the segments that EXT-X-SKIP leaves
    /// out, with their keys and maps, come from this playlist. A playlist without EXT-X-SKIP is whole already.
    ///
    /// - Parameters:
    ///   - delta: the update, as the server sent it.
    ///   - context: the context of the update.
    /// - Returns: `nil` if the update does not fit: then the whole playlist must be loaded.
    public func updated(by delta: MediaPlaylist, context: VariableContext = .init()) -> MediaPlaylist? {
        guard let skip = delta.skip else { return delta }
        let offset = delta.mediaSequence - mediaSequence
        guard self.skip == nil, offset >= 0, offset + skip.skippedSegments <= segments.count,
            let skipped = written(offset..<offset + skip.skippedSegments, after: delta.discontinuitySequence),
            let bytes = delta.replacingSkip(with: skipped),
            case .media(let whole)? = try? Playlist(parsing: bytes, context: context)
        else { return nil }
        return whole
    }

    /// The lines of segments, without date ranges, which an update leaves out only on request.
    ///
    /// - Parameter sequence: EXT-X-DISCONTINUITY-SEQUENCE of the playlist that begins with them.
    private func written(_ range: Range<Int>, after sequence: Int) -> [UInt8]? {
        var writer = MediaPlaylistWriter()
        for (place, segment) in segments[range].enumerated() {
            let section = segment.initializationSection.map { initializationSections[$0] }
            var entry = SegmentEntry(segment, uri: segment.uri, initializationSection: section)
            entry.otherTags.removeAll { $0.hasPrefix("#EXT-X-DATERANGE") }
            if place == 0 {
                let passed = segment.discontinuitySequence - sequence
                guard passed == 0 || (passed == 1 && segment.isDiscontinuity) else { return nil }
                entry.isDiscontinuity = passed == 1
            }
            writer.append(entry)
        }
        return writer.appended
    }

    private func replacingSkip(with lines: [UInt8]) -> [UInt8]? {
        var scanner = LineScanner(bytes: serialized, limit: serialized.count)
        while let line = try? scanner.next() {
            guard serialized[line.start] == .hash, Tag.find(in: serialized, line: line)?.tag == .skip else {
                continue
            }
            return serialized[..<line.start] + lines + serialized[line.end...]
        }
        return nil
    }
}
