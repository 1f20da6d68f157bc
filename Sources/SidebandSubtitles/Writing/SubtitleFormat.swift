/// A format in which a track can be written.
///
/// ```swift
/// let file = try WebVTTFile(parsing: bytes)
/// let subRip = SubtitleFormat.srt.bytes(of: file.track)
/// ```
public enum SubtitleFormat: String, Sendable, CaseIterable {
    /// WebVTT.
    case vtt
    /// SubRip.
    case srt
    /// Advanced SubStation Alpha.
    case ass
    /// JSON, as `JSONWriter` writes it.
    case json
    /// The lines alone, without times and markup.
    case text

    /// The track in this format, in UTF-8. WebVTT has no timestamp map: its times are those of the presentation.
    ///
    /// - Parameters:
    ///   - track: the whole track.
    ///   - picture: the size of the video in pixels, for formats that place text in it.
    public func bytes(of track: SubtitleTrack, picture: PictureSize = .init()) -> [UInt8] {
        switch self {
        case .vtt: WebVTTWriter().bytes(of: track)
        case .srt: SubRipWriter().bytes(of: track)
        case .ass: ASSWriter(picture: picture).bytes(of: track)
        case .json: JSONWriter().bytes(of: track)
        case .text: PlainTextWriter().bytes(of: track)
        }
    }

    /// Passes the track in this format to a function in pieces of about 64 KiB, so that a long track takes little
    /// memory.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, picture: PictureSize = .init(), to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .vtt: try WebVTTWriter().write(track, to: receive)
        case .srt: try SubRipWriter().write(track, to: receive)
        case .ass: try ASSWriter(picture: picture).write(track, to: receive)
        case .json: try JSONWriter().write(track, to: receive)
        case .text: try PlainTextWriter().write(track, to: receive)
        }
    }
}
