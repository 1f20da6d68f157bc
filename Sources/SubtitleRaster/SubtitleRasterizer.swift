internal import Locking
public import SidebandSubtitles

/// Turns subtitles into transparent pictures. Any thread may use it; one at a time does.
///
/// It keeps the fonts it has used, so that one that lives long is fast.
public final class SubtitleRasterizer: Sendable {
    private let text: Lock<Tool>

    /// The tools that are used under the lock only.
    private struct Tool: @unchecked Sendable {
        // Pango's objects may move between threads; the lock sees to it that no two use them at once.
        let text: PangoText
    }

    /// Loads the libraries that paint.
    ///
    /// - Throws: `RasterError.librariesMissing` when they are not installed.
    public init() throws(RasterError) {
        text = Lock(Tool(text: try PangoText()))
    }

    /// A picture that was laid out and painted.
    public struct Picture: Sendable {
        /// A PNG file.
        public var png: [UInt8]
        /// The layout of the picture.
        public var layout: FrameLayout
    }

    /// The layout of a moment, in pixels of the fonts that are installed.
    public func layout(_ tracks: [ShownTrack], size: FrameSize, at time: CueTime) -> FrameLayout {
        text.withLock { FrameComposer(tracks, size: size, measuring: $0.text).layout(at: time) }
    }

    /// The picture at a moment.
    ///
    /// - Throws: `RasterError.outOfMemory`.
    public func picture(_ tracks: [ShownTrack], size: FrameSize, at time: CueTime) throws(RasterError)
        -> Picture
    {
        let result = text.withLock { tool -> Result<Picture, RasterError> in
            let layout = FrameComposer(tracks, size: size, measuring: tool.text).layout(at: time)
            do throws(RasterError) {
                let canvas = try Canvas(size)
                FramePainter(canvas: canvas, text: tool.text).paint(layout)
                return .success(Picture(png: try PNGWriter.write(canvas), layout: layout))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
