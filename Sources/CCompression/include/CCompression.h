#pragma once
#include <stddef.h>
#include <stdint.h>

// Decoders of zlib and Brotli, loaded at their first use: libcurl needs both libraries, so they are installed, but
// few runs of the program use them. Neither is needed to build.

typedef struct ccompression_stream ccompression_stream;

typedef enum {
    // gzip or zlib, by the header (RFC 1952, RFC 1950).
    CCOMPRESSION_GZIP = 0,
    // Deflate without a header (RFC 1951).
    CCOMPRESSION_DEFLATE = 1,
    // Brotli (RFC 7932).
    CCOMPRESSION_BROTLI = 2,
} ccompression_coding;

typedef enum {
    CCOMPRESSION_BROKEN = -1,
    CCOMPRESSION_MORE = 0,
    CCOMPRESSION_END = 1,
} ccompression_result;

// NULL when the library is not there, or there is no memory.
ccompression_stream *ccompression_open(ccompression_coding coding);
// Decodes as much as fits; says how many bytes it took and made.
ccompression_result ccompression_step(ccompression_stream *stream, const uint8_t *input, size_t input_count,
                                      size_t *consumed, uint8_t *output, size_t output_count, size_t *produced);
void ccompression_close(ccompression_stream *stream);

// Compresses as gzip (RFC 1952). Returns the bytes made; 0 where zlib is not there, or there is no room for them.
size_t ccompression_gzip(const uint8_t *input, size_t input_count, uint8_t *output, size_t output_count);
