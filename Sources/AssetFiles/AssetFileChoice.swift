package import AssetStore
internal import HLSPlaylist
internal import Languages

/// The request for a file: its format, tracks and part.
package struct AssetFileChoice: Sendable, Hashable {
    package var format: AssetFileFormat
    /// The name of the variant stream; `nil` takes the first.
    package var video: String?
    /// The languages of the sound, as ranges; `nil` takes all.
    package var audio: [String]?
    /// The languages of the subtitles, as ranges; `nil` takes all.
    package var subtitles: [String]?
    /// Whether to skip time without media: lost segments, and gaps.
    package var skipsGaps: Bool
    /// The number of a stretch without a change of codecs, from 1; `nil` takes the whole asset.
    package var part: Int?

    package init(
        _ format: AssetFileFormat, video: String? = nil, audio: [String]? = nil, subtitles: [String]? = nil,
        skipsGaps: Bool = false, part: Int? = nil
    ) {
        (self.format, self.video, self.audio) = (format, video, audio)
        (self.subtitles, self.skipsGaps, self.part) = (subtitles, skipsGaps, part)
    }

    var skipped: IndexedRendition.Skipped { skipsGaps ? .missing : .none }

    /// The renditions that are read for a file.
    struct Sources {
        var video: RenditionRecord?
        var audio: [RenditionRecord] = []
        var subtitles: [RenditionRecord] = []
        /// Whether to take the audio in the variant stream, too.
        var takesMuxedSound: Bool
        /// The rendition that names the language and the title of that audio.
        var muxed: RenditionRecord?

        /// The renditions with pictures or sound, in the order of the file's tracks.
        var media: [RenditionRecord] { (video.map { [$0] } ?? []) + audio }

        /// The variant stream if it is a transport stream with all requested tracks; otherwise `nil`.
        var packets: RenditionRecord? {
            guard let video, video.container == .ts, audio.isEmpty, takesMuxedSound else { return nil }
            return video
        }
    }

    /// Chooses among the renditions of an asset.
    ///
    /// - Throws: `noSuchTrack` for a track that the asset lacks.
    func sources(_ rows: [RenditionRecord]) throws(AssetFileError) -> Sources {
        let rows = rows.filter { $0.failure == nil }
        let variants = rows.filter { $0.kind == .variant && $0.hasPlaylist }
        let shown: RenditionRecord?
        if let video {
            guard let named = variants.first(where: { $0.name == video }) else { throw .noSuchTrack(video) }
            shown = named
        } else {
            shown =
                variants.first { $0.required && $0.isComplete } ?? variants.first { $0.isComplete }
                ?? variants.first
        }
        let all = rows.filter { $0.kind == .audio }
        // Players take the first track by default.
        let sound = all.filter(\.isDefault) + all.filter { !$0.isDefault }
        let chosen = try Self.chosen(audio, of: sound)
        let muxed = chosen.first { !$0.hasPlaylist }
        var sources = Sources(
            video: shown, takesMuxedSound: sound.isEmpty ? audio != [] : muxed != nil, muxed: muxed)
        sources.audio = chosen.filter { $0.hasPlaylist && ($0.isComplete || $0.required || audio != nil) }
        let text = rows.filter { $0.kind == .subtitles && ($0.isComplete || subtitles != nil) }
        sources.subtitles = format == .mp4 ? try Self.chosen(subtitles, of: text) : []
        if format == .m4a, !sources.takesMuxedSound, !sources.audio.isEmpty { sources.video = nil }
        return sources
    }

    private static func chosen(
        _ ranges: [String]?, of rows: [RenditionRecord]
    ) throws(AssetFileError) -> [RenditionRecord] {
        guard let ranges else { return rows }
        var found: [Int] = []
        for range in ranges {
            let named = rows.indices.filter { rows[$0].name == range }
            let matches = named.isEmpty ? LanguageRange.matches(range, in: rows.map(\.language)) : named
            // A stream without language names is assumed to have the requested language.
            if matches.isEmpty, !rows.isEmpty || range != "*" { throw .noSuchTrack(range) }
            found += matches.filter { !found.contains($0) }
        }
        return found.map { rows[$0] }
    }
}

extension RenditionRecord {
    /// Whether players choose it without a wish of the user (DEFAULT).
    fileprivate var isDefault: Bool { attributes.isYes("DEFAULT") }
}
