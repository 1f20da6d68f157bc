internal import CPangoCairo
internal import SidebandSubtitles

/// Text by Pango: measures it for layout and paints it. For one thread at a time.
///
/// Hinting is off and letters are not moved to whole pixels, so that a picture depends on its fonts alone, not on the
/// settings of the system it is made on.
@safe final class PangoText: TextMeasuring {
    private let map: OpaquePointer
    private let context: OpaquePointer
    private let layout: OpaquePointer
    private var descriptions: [FontRequest: OpaquePointer] = unsafe [:]
    private var extents: [TextRun: TextExtent] = [:]
    private var metrics: [FontRequest: FontMetrics] = [:]

    /// How many answers are remembered before all are forgotten.
    private static let maximumRemembered = 4096

    /// Sizes of a font, in pixels.
    struct FontMetrics {
        var ascent: Double
        var descent: Double
        /// From the baseline down to the top of the line.
        var underline: Double
        var strikethrough: Double
        var thickness: Double
    }

    init() throws(RasterError) {
        try PangoLibrary.load()
        guard let map = unsafe cpc_pango_cairo_font_map_new(),
            let context = unsafe cpc_pango_font_map_create_context(map),
            let layout = unsafe cpc_pango_layout_new(context),
            let options = unsafe cpc_cairo_font_options_create()
        else { throw .outOfMemory }
        unsafe self.map = map
        unsafe self.context = context
        unsafe self.layout = layout
        unsafe cpc_cairo_font_options_set_antialias(options, Int32(CPC_ANTIALIAS_GRAY))
        unsafe cpc_cairo_font_options_set_hint_style(options, Int32(CPC_HINT_STYLE_NONE))
        unsafe cpc_cairo_font_options_set_hint_metrics(options, Int32(CPC_HINT_METRICS_OFF))
        unsafe cpc_pango_cairo_context_set_font_options(context, options)
        unsafe cpc_cairo_font_options_destroy(options)
        unsafe cpc_pango_context_set_round_glyph_positions(context, 0)
        unsafe cpc_pango_layout_set_auto_dir(layout, 0)
        unsafe cpc_pango_layout_set_single_paragraph_mode(layout, 1)
    }

    deinit {
        forget()
        unsafe cpc_g_object_unref(UnsafeMutableRawPointer(layout))
        unsafe cpc_g_object_unref(UnsafeMutableRawPointer(context))
        unsafe cpc_g_object_unref(UnsafeMutableRawPointer(map))
    }

    private func forget() {
        unsafe descriptions.values.forEach { unsafe cpc_pango_font_description_free($0) }
        unsafe descriptions = [:]
        extents = [:]
        metrics = [:]
    }

    /// The extent of a stretch of text: the ascent and descent of its line's fonts, in whole pixels as browsers round
    /// them.
    func measure(_ run: TextRun) -> TextExtent {
        if let known = extents[run] { return known }
        if extents.count >= PangoText.maximumRemembered { forget() }
        let font = metrics(of: run.font)
        prepare(run)
        var logical = PangoRectangle()
        unsafe cpc_pango_layout_get_extents(layout, nil, &logical)
        let baseline = unsafe cpc_pango_layout_get_baseline(layout)
        let (above, below) = (PangoLibrary.pixels(baseline), PangoLibrary.pixels(logical.height - baseline))
        // Vertical text is centered on its baseline; it is placed by its own extent.
        let extent = TextExtent(
            width: PangoLibrary.pixels(logical.width),
            ascent: run.isVertical ? font.ascent : max(font.ascent, above.rounded(.up)),
            descent: run.isVertical ? font.descent : max(font.descent, below.rounded(.up)))
        extents[run] = extent
        return extent
    }

    func analyze(_ paragraph: String, isRightToLeft: Bool) -> TextAnalysis {
        let count = paragraph.unicodeScalars.count
        var attributes = [UInt32](repeating: 0, count: count + 1)
        var levels = [UInt8](repeating: 0, count: count)
        var text = paragraph
        text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                let length = Int32(characters.count)
                unsafe cpc_pango_get_log_attrs(
                    characters.baseAddress, length, isRightToLeft ? 1 : 0,
                    cpc_pango_language_from_string(nil),
                    &attributes, Int32(attributes.count))
                var direction: Int32 = isRightToLeft ? 1 : 0
                guard
                    let found = unsafe cpc_pango_log2vis_get_embedding_levels(
                        characters.baseAddress, length, &direction)
                else { return }
                for index in 0..<count { unsafe levels[index] = found[index] }
                unsafe cpc_g_free(found)
            }
        }
        return TextAnalysis(
            mayBreakBefore: attributes.prefix(count).map { $0 & UInt32(CPC_IS_LINE_BREAK) != 0 },
            startsCharacter: attributes.prefix(count).map { $0 & UInt32(CPC_IS_CURSOR_POSITION) != 0 },
            levels: levels)
    }

    /// Paints a run with its line's top left at a point.
    ///
    /// - Parameter ascent: how far below the point the baseline is.
    func show(_ run: TextRun, on canvas: OpaquePointer, ascent: Double) {
        prepare(run)
        var logical = PangoRectangle()
        unsafe cpc_pango_layout_get_extents(layout, nil, &logical)
        let baseline = PangoLibrary.pixels(unsafe cpc_pango_layout_get_baseline(layout))
        let font = metrics(of: run.font)
        let top =
            run.isVertical
            ? (font.ascent + font.descent - PangoLibrary.pixels(logical.height)) / 2 : ascent - baseline
        unsafe cpc_cairo_move_to(canvas, 0, top)
        unsafe cpc_pango_cairo_show_layout(canvas, layout)
    }

    /// The sizes of a font.
    func metrics(of font: FontRequest) -> FontMetrics {
        if let known = metrics[font] { return known }
        guard let found = unsafe cpc_pango_context_get_metrics(context, description(font), nil) else {
            return FontMetrics(ascent: font.size, descent: 0, underline: 0, strikethrough: 0, thickness: 1)
        }
        defer { unsafe cpc_pango_font_metrics_unref(found) }
        let strikethrough = unsafe cpc_pango_font_metrics_get_strikethrough_position(found)
        let result = unsafe FontMetrics(
            ascent: PangoLibrary.pixels(cpc_pango_font_metrics_get_ascent(found)).rounded(.up),
            descent: PangoLibrary.pixels(cpc_pango_font_metrics_get_descent(found)).rounded(.up),
            underline: -PangoLibrary.pixels(cpc_pango_font_metrics_get_underline_position(found)),
            strikethrough: -PangoLibrary.pixels(strikethrough),
            thickness: PangoLibrary.pixels(cpc_pango_font_metrics_get_underline_thickness(found)))
        metrics[font] = result
        return result
    }

    /// Puts a run into the layout.
    private func prepare(_ run: TextRun) {
        let gravity = run.isVertical ? CPC_GRAVITY_EAST : CPC_GRAVITY_SOUTH
        unsafe cpc_pango_context_set_base_gravity(context, Int32(gravity))
        unsafe cpc_pango_context_set_base_dir(context, run.isRightToLeft ? 1 : 0)
        let language = run.language.isEmpty ? "und" : run.language
        unsafe cpc_pango_context_set_language(context, cpc_pango_language_from_string(language))
        unsafe cpc_pango_layout_context_changed(layout)
        unsafe cpc_pango_layout_set_font_description(layout, description(run.font))
        var text = run.text
        text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe cpc_pango_layout_set_text(layout, characters.baseAddress, Int32(characters.count))
            }
        }
    }

    private func description(_ font: FontRequest) -> OpaquePointer? {
        if let known = unsafe descriptions[font] { return unsafe known }
        guard let made = unsafe cpc_pango_font_description_new() else { return nil }
        let families = font.families.map { String($0.filter { $0 != "," && $0 != "\0" }) }
        unsafe cpc_pango_font_description_set_family(made, families.joined(separator: ","))
        let size = max(font.size, 0.1) * Double(CPC_SCALE)
        unsafe cpc_pango_font_description_set_absolute_size(made, size)
        unsafe cpc_pango_font_description_set_weight(made, Int32(font.weight))
        let style = font.isItalic ? CPC_STYLE_ITALIC : CPC_STYLE_NORMAL
        unsafe cpc_pango_font_description_set_style(made, Int32(style))
        unsafe descriptions[font] = made
        return unsafe made
    }
}
