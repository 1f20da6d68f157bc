#pragma once
#include <stdint.h>

// Pango and Cairo, loaded for the first picture: if they were linked, loading 30 more libraries would add 3 ms to
// every start of the program. The declarations are those of Pango 1.50 and Cairo 1.16 (both have stable binary
// interfaces), and of zlib, which Cairo needs; the values of enumerations are listed at the functions that take them.

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_font_options cairo_font_options_t;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutLine PangoLayoutLine;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMetrics PangoFontMetrics;
typedef struct _PangoLanguage PangoLanguage;
typedef struct { int x, y, width, height; } PangoRectangle;
typedef struct {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
} z_stream;

enum {
    CPC_FORMAT_ARGB32 = 0,
    CPC_ANTIALIAS_GRAY = 2,
    CPC_HINT_STYLE_NONE = 1,
    CPC_HINT_METRICS_OFF = 1,
    CPC_GRAVITY_SOUTH = 0,
    CPC_GRAVITY_EAST = 1,
    CPC_STYLE_NORMAL = 0,
    CPC_STYLE_ITALIC = 2,
    CPC_SCALE = 1024,
    CPC_SYNC_FLUSH = 2,
    CPC_BUF_ERROR = -5,
    // The bits of a PangoLogAttr.
    CPC_IS_LINE_BREAK = 1 << 0,
    CPC_IS_CURSOR_POSITION = 1 << 4,
};

// X(result, name, parameters, arguments)
#define CPC_FUNCTIONS(X)                                                                                             \
    X(cairo_surface_t *, cairo_image_surface_create, (int format, int width, int height), (format, width, height))   \
    X(void, cairo_surface_destroy, (cairo_surface_t *surface), (surface))                                            \
    X(int, cairo_surface_status, (cairo_surface_t *surface), (surface))                                              \
    X(void, cairo_surface_flush, (cairo_surface_t *surface), (surface))                                              \
    X(unsigned char *, cairo_image_surface_get_data, (cairo_surface_t *surface), (surface))                          \
    X(int, cairo_image_surface_get_stride, (cairo_surface_t *surface), (surface))                                    \
    X(cairo_t *, cairo_create, (cairo_surface_t *surface), (surface))                                                \
    X(void, cairo_destroy, (cairo_t *cr), (cr))                                                                      \
    X(void, cairo_save, (cairo_t *cr), (cr))                                                                         \
    X(void, cairo_restore, (cairo_t *cr), (cr))                                                                      \
    X(void, cairo_clip, (cairo_t *cr), (cr))                                                                         \
    X(void, cairo_fill, (cairo_t *cr), (cr))                                                                         \
    X(void, cairo_stroke, (cairo_t *cr), (cr))                                                                       \
    X(void, cairo_push_group, (cairo_t *cr), (cr))                                                                   \
    X(void, cairo_pop_group_to_source, (cairo_t *cr), (cr))                                                          \
    X(void, cairo_paint_with_alpha, (cairo_t *cr, double alpha), (cr, alpha))                                        \
    X(void, cairo_set_line_width, (cairo_t *cr, double width), (cr, width))                                          \
    X(void, cairo_move_to, (cairo_t *cr, double x, double y), (cr, x, y))                                            \
    X(void, cairo_translate, (cairo_t *cr, double x, double y), (cr, x, y))                                          \
    X(void, cairo_scale, (cairo_t *cr, double x, double y), (cr, x, y))                                              \
    X(void, cairo_rotate, (cairo_t *cr, double angle), (cr, angle))                                                  \
    X(void, cairo_rectangle, (cairo_t *cr, double x, double y, double width, double height),                         \
      (cr, x, y, width, height))                                                                                     \
    X(void, cairo_set_source_rgba, (cairo_t *cr, double red, double green, double blue, double alpha),               \
      (cr, red, green, blue, alpha))                                                                                 \
    X(cairo_font_options_t *, cairo_font_options_create, (void), ())                                                 \
    X(void, cairo_font_options_destroy, (cairo_font_options_t *options), (options))                                  \
    X(void, cairo_font_options_set_antialias, (cairo_font_options_t *options, int value), (options, value))          \
    X(void, cairo_font_options_set_hint_style, (cairo_font_options_t *options, int value), (options, value))         \
    X(void, cairo_font_options_set_hint_metrics, (cairo_font_options_t *options, int value), (options, value))       \
    X(PangoFontMap *, pango_cairo_font_map_new, (void), ())                                                          \
    X(PangoContext *, pango_font_map_create_context, (PangoFontMap *map), (map))                                     \
    X(void, pango_cairo_context_set_font_options, (PangoContext *context, const cairo_font_options_t *options),      \
      (context, options))                                                                                            \
    X(void, pango_context_set_base_dir, (PangoContext *context, int direction), (context, direction))                \
    X(void, pango_context_set_base_gravity, (PangoContext *context, int gravity), (context, gravity))                \
    X(void, pango_context_set_language, (PangoContext *context, PangoLanguage *language), (context, language))       \
    X(void, pango_context_set_round_glyph_positions, (PangoContext *context, int round), (context, round))           \
    X(PangoFontMetrics *, pango_context_get_metrics,                                                                 \
      (PangoContext *context, const PangoFontDescription *description, PangoLanguage *language),                     \
      (context, description, language))                                                                              \
    X(PangoLanguage *, pango_language_from_string, (const char *tag), (tag))                                         \
    X(PangoLayout *, pango_layout_new, (PangoContext *context), (context))                                           \
    X(void, pango_layout_context_changed, (PangoLayout *layout), (layout))                                           \
    X(void, pango_layout_set_text, (PangoLayout *layout, const char *text, int length), (layout, text, length))      \
    X(void, pango_layout_set_auto_dir, (PangoLayout *layout, int value), (layout, value))                            \
    X(void, pango_layout_set_single_paragraph_mode, (PangoLayout *layout, int value), (layout, value))               \
    X(void, pango_layout_set_font_description, (PangoLayout *layout, const PangoFontDescription *description),       \
      (layout, description))                                                                                         \
    X(void, pango_layout_get_extents, (PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical),           \
      (layout, ink, logical))                                                                                        \
    X(int, pango_layout_get_baseline, (PangoLayout *layout), (layout))                                               \
    X(void, pango_cairo_show_layout, (cairo_t *cr, PangoLayout *layout), (cr, layout))                               \
    X(PangoFontDescription *, pango_font_description_new, (void), ())                                                \
    X(void, pango_font_description_free, (PangoFontDescription *description), (description))                         \
    X(void, pango_font_description_set_family, (PangoFontDescription *description, const char *family),              \
      (description, family))                                                                                         \
    X(void, pango_font_description_set_absolute_size, (PangoFontDescription *description, double size),              \
      (description, size))                                                                                           \
    X(void, pango_font_description_set_weight, (PangoFontDescription *description, int weight),                      \
      (description, weight))                                                                                         \
    X(void, pango_font_description_set_style, (PangoFontDescription *description, int style), (description, style))  \
    X(void, pango_font_metrics_unref, (PangoFontMetrics *metrics), (metrics))                                        \
    X(int, pango_font_metrics_get_ascent, (PangoFontMetrics *metrics), (metrics))                                    \
    X(int, pango_font_metrics_get_descent, (PangoFontMetrics *metrics), (metrics))                                   \
    X(int, pango_font_metrics_get_underline_position, (PangoFontMetrics *metrics), (metrics))                        \
    X(int, pango_font_metrics_get_underline_thickness, (PangoFontMetrics *metrics), (metrics))                       \
    X(int, pango_font_metrics_get_strikethrough_position, (PangoFontMetrics *metrics), (metrics))                    \
    X(void, pango_get_log_attrs,                                                                                     \
      (const char *text, int length, int level, PangoLanguage *language, uint32_t *attributes, int count),           \
      (text, length, level, language, attributes, count))                                                            \
    X(uint8_t *, pango_log2vis_get_embedding_levels, (const char *text, int length, int *direction),                 \
      (text, length, direction))                                                                                     \
    X(int, deflateInit2_,                                                                                            \
      (z_stream *stream, int level, int method, int window, int memory, int strategy, const char *version, int size), \
      (stream, level, method, window, memory, strategy, version, size))                                              \
    X(int, deflate, (z_stream *stream, int flush), (stream, flush))                                                  \
    X(int, deflateEnd, (z_stream *stream), (stream))                                                                 \
    X(unsigned long, adler32, (unsigned long sum, const unsigned char *data, unsigned int length),                   \
      (sum, data, length))                                                                                           \
    X(unsigned long, crc32, (unsigned long crc, const unsigned char *data, unsigned int length), (crc, data, length)) \
    X(void, g_object_unref, (void *object), (object))                                                                \
    X(void, g_free, (void *memory), (memory))

typedef struct {
#define CPC_MEMBER(result, name, parameters, arguments) result(*name) parameters;
    CPC_FUNCTIONS(CPC_MEMBER)
#undef CPC_MEMBER
} CPangoCairoFunctions;

// Valid once cpc_load has returned 0.
extern CPangoCairoFunctions cpc_functions;

// Loads the libraries. Returns 0, or -1 if they are not installed or lack a function. Two threads must not call this
// at the same time.
int cpc_load(void);

#define CPC_WRAPPER(result, name, parameters, arguments)                                                             \
    static inline result cpc_##name parameters { return cpc_functions.name arguments; }
CPC_FUNCTIONS(CPC_WRAPPER)
#undef CPC_WRAPPER
