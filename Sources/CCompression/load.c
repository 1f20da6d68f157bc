#include "CCompression.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The layout of zlib's stream, which has been the same since its version 1.0.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state, *allocate, *release, *opaque;
    int data_type;
    unsigned long adler, reserved;
} zlib_stream;

static struct {
    int (*init)(zlib_stream *, int bits, const char *version, int size);
    int (*inflate)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
    int (*init_deflate)(zlib_stream *, int level, int method, int bits, int memory, int strategy, const char *version, int size);
    int (*deflate)(zlib_stream *, int flush);
    int (*end_deflate)(zlib_stream *);
} zlib;

static struct {
    void *(*create)(void *, void *, void *);
    int (*decompress)(void *, size_t *avail_in, const uint8_t **next_in, size_t *avail_out, uint8_t **next_out,
                      size_t *total);
    void (*destroy)(void *);
} brotli;

struct ccompression_stream {
    ccompression_coding coding;
    zlib_stream zlib;
    void *brotli;
};

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library != NULL) {
        *(void **)&zlib.init = dlsym(library, "inflateInit2_");
        *(void **)&zlib.inflate = dlsym(library, "inflate");
        *(void **)&zlib.end = dlsym(library, "inflateEnd");
        *(void **)&zlib.init_deflate = dlsym(library, "deflateInit2_");
        *(void **)&zlib.deflate = dlsym(library, "deflate");
        *(void **)&zlib.end_deflate = dlsym(library, "deflateEnd");
    }
    library = dlopen("libbrotlidec.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library != NULL) {
        *(void **)&brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
        *(void **)&brotli.decompress = dlsym(library, "BrotliDecoderDecompressStream");
        *(void **)&brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

size_t ccompression_gzip(const uint8_t *input, size_t input_count, uint8_t *output, size_t output_count) {
    pthread_once(&once, load);
    zlib_stream state = {0};
    if (!zlib.init_deflate || !zlib.deflate || !zlib.end_deflate || input_count > 1u << 30 || output_count > 1u << 30) return 0;
    // The best compression, a window of 32 KiB with a gzip header, the usual memory.
    if (zlib.init_deflate(&state, 9, 8, 15 + 16, 8, 0, "1.2.11", (int)sizeof state) != 0) return 0;
    state.next_in = input;
    state.avail_in = (unsigned)input_count;
    state.next_out = output;
    state.avail_out = (unsigned)output_count;
    const int result = zlib.deflate(&state, 4);
    zlib.end_deflate(&state);
    return result == 1 ? (size_t)(state.next_out - output) : 0;
}

ccompression_stream *ccompression_open(ccompression_coding coding) {
    pthread_once(&once, load);
    ccompression_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) return NULL;
    stream->coding = coding;
    if (coding == CCOMPRESSION_BROTLI) {
        if (brotli.create && brotli.decompress && brotli.destroy) stream->brotli = brotli.create(NULL, NULL, NULL);
        if (stream->brotli != NULL) return stream;
    } else if (zlib.init && zlib.inflate && zlib.end) {
        int bits = coding == CCOMPRESSION_GZIP ? 15 + 32 : -15;
        if (zlib.init(&stream->zlib, bits, "1.2.11", (int)sizeof stream->zlib) == 0) return stream;
    }
    free(stream);
    return NULL;
}

static ccompression_result step_zlib(ccompression_stream *stream, const uint8_t *input, size_t input_count,
                                     size_t *consumed, uint8_t *output, size_t output_count, size_t *produced) {
    zlib_stream *state = &stream->zlib;
    const size_t most = 1u << 30;
    state->next_in = input;
    state->avail_in = (unsigned)(input_count < most ? input_count : most);
    state->next_out = output;
    state->avail_out = (unsigned)(output_count < most ? output_count : most);
    const int result = zlib.inflate(state, 0);
    *consumed = (size_t)(state->next_in - input);
    *produced = (size_t)(state->next_out - output);
    if (result == 1) return CCOMPRESSION_END;
    // A step without progress asks for more input or room.
    return result == 0 || result == -5 ? CCOMPRESSION_MORE : CCOMPRESSION_BROKEN;
}

static ccompression_result step_brotli(ccompression_stream *stream, const uint8_t *input, size_t input_count,
                                       size_t *consumed, uint8_t *output, size_t output_count, size_t *produced) {
    size_t left = input_count, room = output_count;
    const int result = brotli.decompress(stream->brotli, &left, &input, &room, &output, NULL);
    *consumed = input_count - left;
    *produced = output_count - room;
    return result == 0 ? CCOMPRESSION_BROKEN : result == 1 ? CCOMPRESSION_END : CCOMPRESSION_MORE;
}

ccompression_result ccompression_step(ccompression_stream *stream, const uint8_t *input, size_t input_count,
                                      size_t *consumed, uint8_t *output, size_t output_count, size_t *produced) {
    return stream->coding == CCOMPRESSION_BROTLI
               ? step_brotli(stream, input, input_count, consumed, output, output_count, produced)
               : step_zlib(stream, input, input_count, consumed, output, output_count, produced);
}

void ccompression_close(ccompression_stream *stream) {
    if (stream == NULL) return;
    if (stream->coding == CCOMPRESSION_BROTLI) {
        brotli.destroy(stream->brotli);
    } else {
        zlib.end(&stream->zlib);
    }
    free(stream);
}
