internal import CPangoCairo
internal import SidebandSubtitles

/// A picture that is being painted. For one thread.
@safe final class Canvas {
    private let surface: OpaquePointer
    let context: OpaquePointer
    let size: FrameSize

    init(_ size: FrameSize) throws(RasterError) {
        let format = Int32(CPC_FORMAT_ARGB32)
        guard
            let surface = unsafe cpc_cairo_image_surface_create(format, Int32(size.width), Int32(size.height))
        else { throw .outOfMemory }
        guard unsafe cpc_cairo_surface_status(surface) == 0, let context = unsafe cpc_cairo_create(surface)
        else {
            unsafe cpc_cairo_surface_destroy(surface)
            throw .outOfMemory
        }
        unsafe self.surface = surface
        unsafe self.context = context
        self.size = size
    }

    deinit {
        unsafe cpc_cairo_destroy(context)
        unsafe cpc_cairo_surface_destroy(surface)
    }

    /// Fills a rectangle, its edges moved to whole pixels.
    func fill(_ rect: FrameRect, _ color: CueColor) {
        guard color.alpha > 0 else { return }
        let (left, top) = (rect.x.rounded(), rect.y.rounded())
        unsafe cpc_cairo_rectangle(
            context, left, top, rect.right.rounded() - left, rect.bottom.rounded() - top)
        setColor(color)
        unsafe cpc_cairo_fill(context)
    }

    /// Fills a rectangle without rounding or smoothing.
    func fillExactly(_ rect: FrameRect, _ color: CueColor) {
        unsafe cpc_cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
        setColor(color)
        unsafe cpc_cairo_fill(context)
    }

    /// Draws a frame around a rectangle.
    func stroke(_ rect: FrameRect, _ outline: TextStyle.Outline) {
        let half = outline.width / 2
        unsafe cpc_cairo_rectangle(
            context, rect.x.rounded() - half, rect.y.rounded() - half, rect.width.rounded() + outline.width,
            rect.height.rounded() + outline.width)
        unsafe cpc_cairo_set_line_width(context, outline.width)
        setColor(outline.color)
        unsafe cpc_cairo_stroke(context)
    }

    func setColor(_ color: CueColor) {
        unsafe cpc_cairo_set_source_rgba(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, color.alpha
        )
    }

    /// Paints a group as one layer with an opacity.
    func group(opacity: Double, _ paint: () -> Void) {
        guard opacity < 1 else { return paint() }
        unsafe cpc_cairo_push_group(context)
        paint()
        unsafe cpc_cairo_pop_group_to_source(context)
        unsafe cpc_cairo_paint_with_alpha(context, opacity)
    }

    /// Paints, then restores the transformation and the clip.
    func saved(_ paint: () -> Void) {
        unsafe cpc_cairo_save(context)
        paint()
        unsafe cpc_cairo_restore(context)
    }

    func clip(_ rect: FrameRect) {
        unsafe cpc_cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
        unsafe cpc_cairo_clip(context)
    }

    func translate(x: Double, y: Double) {
        unsafe cpc_cairo_translate(context, x, y)
    }

    /// Rotates later painting clockwise by a quarter.
    func turn() {
        unsafe cpc_cairo_rotate(context, .pi / 2)
    }

    func scale(x: Double) {
        unsafe cpc_cairo_scale(context, x, 1)
    }

    /// The pixels, row by row.
    ///
    /// - Parameter body: gets one 32-bit word a pixel, alpha at the top, then red, green and blue, each already multiplied
    ///   by alpha; and how many words there are to a row.
    func withPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>, Int) -> Result) -> Result {
        unsafe cpc_cairo_surface_flush(surface)
        let words = Int(unsafe cpc_cairo_image_surface_get_stride(surface)) / 4
        guard let data = unsafe cpc_cairo_image_surface_get_data(surface) else {
            return unsafe body(UnsafeBufferPointer(start: nil, count: 0), words)
        }
        return unsafe data.withMemoryRebound(to: UInt32.self, capacity: words * size.height) { pixels in
            unsafe body(UnsafeBufferPointer(start: pixels, count: words * size.height), words)
        }
    }
}
