#pragma once
#include <malloc.h> // malloc_trim and mallopt, which Swift's Glibc has not
#include <microhttpd.h>

// libmicrohttpd, loaded at its first call: if it were linked, it and the libraries behind it would slow every start
// of the program, also of commands that serve nothing. Its functions have their own names and are defined in load.c;
// without the library they report that once on standard error and fail.
//
// The declarations below are those that Swift can't import: variadic functions, OR-ed flags and cast macros.

/// Everything one daemon is started with; `context` reaches every callback.
struct mhd_shim_options {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    /// From one address; 0 for no limit.
    unsigned int address_connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    MHD_AccessHandlerCallback on_request;
    MHD_AcceptPolicyCallback on_accept;
    MHD_RequestCompletedCallback on_completed;
    MHD_NotifyConnectionCallback on_connection;
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    void *context;
};

// MHD_start_daemon is variadic; MHD_USE_* are OR-ed. A pool of one thread must not be asked for by name.
struct MHD_Daemon *mhd_shim_start(const struct mhd_shim_options *o);

// MHD_set_connection_option is variadic.
void mhd_shim_set_idle_timeout(struct MHD_Connection *connection, unsigned int seconds);

// MHD_get_connection_info is variadic and returns a union.
int mhd_shim_socket(struct MHD_Connection *connection);

void *mhd_shim_socket_context(struct MHD_Connection *connection);

const struct sockaddr *mhd_shim_peer(struct MHD_Connection *connection);

/// Bytes from the first byte of the method to the end of the blank line that ends the header section.
size_t mhd_shim_head_size(struct MHD_Connection *connection);

// MHD_set_response_options is variadic.
void mhd_shim_never_chunked(struct MHD_Response *response);

// Macros with casts.
static const uint64_t mhd_shim_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t mhd_shim_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t mhd_shim_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
