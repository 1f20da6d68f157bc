internal import HLSPlaylist
internal import Languages
package import SidebandSubtitles

extension AddedSubtitles {
    /// Makes a rendition of a file.
    ///
    /// - Parameters:
    ///   - duration: the asset's duration in seconds, or the track's own if it is longer.
    ///   - start: the time in the stream at which the asset begins, in seconds. The file's times count from the start of the
    ///     whole stream.
    ///   - partLength: the length of the part to take from there, in seconds; `nil` for everything after the start.
    ///   - names: the names of the asset's renditions.
    ///   - titles: the titles that players show for its renditions. Each must be unique (RFC 8216bis, section 4.4.6.1).
    fileprivate init(
        _ file: ReadSubtitles, at position: Int, of duration: Double, from start: Double,
        length partLength: Double?, names: inout RenditionNames, titles: inout Set<String>
    ) {
        let shown = file.file.track.part(from: start, length: partLength)
        let language = LanguageTag.canonical(file.source.language)
        let title = Self.title(file.source.name ?? LanguageTag.nativeName(language) ?? language, &titles)
        let attributes = AttributeList().setting("TYPE", plain: "SUBTITLES").setting(
            "GROUP-ID", quoted: "sideband"
        )
        .setting("NAME", quoted: title).setting("LANGUAGE", quoted: language)
        .setting("DEFAULT", plain: "NO").setting("AUTOSELECT", plain: "YES").setting("FORCED", plain: "NO")
        let stream = SelectedStream(kind: .subtitles, uri: nil, required: false, listings: [attributes])
        let ends = shown.cues.lazy.filter { !$0.isEndless }.map(\.end.seconds)
        let length = max(duration, ends.max() ?? 0, 1)
        var row = RenditionRecord(
            name: names.name(for: stream), position: position, kind: .subtitles, required: false,
            listings: [attributes.verbatim], hasPlaylist: true, container: .vtt, duration: length, segments: 1
        )
        (row.language, row.title, row.sourceFile) = (language, title, file.fileName)
        var writer = MediaPlaylistWriter()
        (writer.playlistType, writer.hasEndList) = (.vod, true)
        writer.append(SegmentEntry(uri: Self.trackName, duration: length))
        self.init(
            row: row, track: WebVTTWriter().bytes(of: shown), playlist: writer.bytes, original: file.original)
    }

    /// Makes a rendition of each file, in the order of the files. Their positions follow those of the asset's renditions.
    ///
    /// - Parameters:
    ///   - duration: the asset's duration in seconds.
    ///   - selection: the part of the stream that the asset has.
    package static func all(
        _ files: [ReadSubtitles], beside rows: [RenditionRecord], of duration: Double, _ selection: Selection
    ) -> [AddedSubtitles] {
        var names = RenditionNames(taken: rows.map(\.name))
        var titles = Set(rows.compactMap(\.title))
        let next = (rows.map(\.position).max() ?? -1) + 1
        var added: [AddedSubtitles] = []
        for (offset, file) in files.enumerated() {
            added.append(
                AddedSubtitles(
                    file, at: next + offset, of: duration, from: selection.partStart ?? 0,
                    length: selection.partLength(of: duration), names: &names, titles: &titles))
        }
        return added
    }

    private static func title(_ wanted: String, _ titles: inout Set<String>) -> String {
        let plain = String(wanted.map { $0 == "\"" || $0.isNewline ? "'" : $0 }.prefix(100))
        var (title, number) = (plain, 2)
        while !titles.insert(title).inserted {
            title = "\(plain) \(number)"
            number += 1
        }
        return title
    }
}

extension AssetRecord {
    /// The length of the selected part in seconds; `nil` if it extends to the stream's end.
    package var partLength: Double? { selection.partLength(of: duration) }
}

extension Selection {
    /// The length of the selected part, of a presentation that takes so many seconds.
    fileprivate func partLength(of duration: Double) -> Double? {
        partStart == nil || end == nil ? nil : duration
    }
}

extension SubtitleTrack {
    /// The cues from this time on; the time, in seconds, becomes 0.
    ///
    /// - Parameter length: the seconds after which no cue begins; `nil` for no limit.
    package func part(from start: Double, length: Double?) -> SubtitleTrack {
        guard start > 0 || length != nil else { return self }
        let offset = CueTime(seconds: start).milliseconds
        let limit = CueTime(seconds: length ?? .infinity)
        var part = self
        part.cues = cues.compactMap { cue in
            var moved = cue
            moved.move(by: -offset)
            moved.start = max(moved.start, CueTime(milliseconds: 0))
            return moved.end.milliseconds > 0 && moved.start < limit ? moved : nil
        }
        return part
    }
}

extension DownloadPlan {
    /// Takes subtitle files along.
    package mutating func join(_ files: [ReadSubtitles], _ selection: Selection) {
        guard !files.isEmpty else { return }
        let rows = renditions.enumerated().map { $1.record(at: $0) }
        subtitles = AddedSubtitles.all(files, beside: rows, of: duration, selection)
    }
}
