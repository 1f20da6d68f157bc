package import SidebandSubtitles

/// A subtitle file that was read, and turned out to be one.
package struct ReadSubtitles: Sendable {
    package var source: SubtitleSource
    /// The bytes of the user's file.
    package var original: [UInt8]
    package var file: SubtitleFile

    package init(source: SubtitleSource, original: [UInt8], file: SubtitleFile) {
        self.source = source
        self.original = original
        self.file = file
    }

    /// The name of the file in its rendition's folder.
    package var fileName: String { "source.\(file.format.rawValue)" }
}

extension ReadSubtitles {
    /// The limits of a track: 500,000 cues, and text in segments of up to 64 MiB. The rest is left out.
    package static let limits = {
        var limits = WebVTTLimits()
        limits.bytes = SubtitleSource.sizeLimit
        limits.cues = 500_000
        return limits
    }()

    /// Reads a subtitle file of any known format; `name` is its name in errors.
    package static func parsed(_ bytes: [UInt8], _ name: String) throws(StoreError) -> SubtitleFile {
        do throws(WebVTTError) {
            return try SubtitleFile(reading: bytes, limits: limits)
        } catch {
            throw StoreError(
                .notImportable(
                    "could not read the subtitles \(name): \(error.description); name another file (WebVTT, SubRip, ASS or TTML)"
                ))
        }
    }
}
