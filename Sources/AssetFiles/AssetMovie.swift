internal import AssetStore
internal import Languages
internal import MediaContainers
internal import SidebandSubtitles

/// Puts the samples of an asset's renditions into one movie, with text.
struct AssetMovie {
    private let tracks: AssetTracks
    private var builder: MovieLayoutBuilder
    private(set) var chapters: [MovieInformation.Chapter] = []

    /// A movie of tracks that were read.
    init(_ tracks: AssetTracks, _ builder: MovieLayoutBuilder) {
        (self.tracks, self.builder) = (tracks, builder)
    }

    /// Adds a track of subtitles, whose times are those of the presentation.
    mutating func addSubtitles(_ track: SubtitleTrack, _ row: RenditionRecord) {
        var lines: [TimedText.Line] = []
        for cue in track.cues {
            let text = String(
                decoding: PlainTextWriter().bytes(of: SubtitleTrack(cues: [cue])), as: UTF8.self)
            let shown = text.split(separator: "\n").joined(separator: "\n")
            guard !shown.isEmpty else { continue }
            let (start, stop) = (shownTime(cue.start.seconds), min(shownTime(cue.end.seconds), tracks.end))
            lines.append(.init(start: max(0, start), end: stop, text: shown))
        }
        builder.addSubtitles(
            lines, language: row.language.flatMap(LanguageCodes.threeLetter), name: row.title,
            isForced: row.listings.contains { $0.contains("FORCED=YES") })
    }

    /// Adds the chapters of the presentation that begin in it, and the one that is running at its start.
    mutating func addChapters(_ list: [MovieInformation.Chapter]) {
        let moved = list.map { MovieInformation.Chapter(start: shownTime($0.start), title: $0.title) }
        let first = moved.lastIndex { $0.start <= 0 } ?? 0
        chapters = moved[first...].filter { $0.start < tracks.end }
            .map { MovieInformation.Chapter(start: max(0, $0.start), title: $0.title) }
        // A chapter that begins with the presentation begins with the file: sound may come before the first picture.
        if let begin = tracks.places.first?.start, let own = list.first?.start, own <= begin,
            !chapters.isEmpty
        {
            chapters[0].start = 0
        }
    }

    /// The time in the movie for a time of the presentation: segments may differ in length from the playlist.
    private func shownTime(_ time: Double) -> Double {
        let places = tracks.places
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard let place = places.first.map({ low > 0 ? places[low - 1] : $0 }) else { return time }
        return place.shown + time - place.start
    }

    /// The file.
    mutating func layout(_ information: MovieInformation) throws(AssetFileError) -> MovieLayout {
        builder.addChapters(information.chapters, end: tracks.end)
        do throws(MovieLayoutError) { return try builder.layout(information) } catch { throw .tooLarge }
    }
}
