#pragma once
#include <microhttpd.h>

// Only what Swift cannot import: variadic functions, OR-ed flags and cast macros of libmicrohttpd.

/// Everything one daemon is started with; `context` reaches every callback.
struct mhd_shim_options {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
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
static inline struct MHD_Daemon *mhd_shim_start(const struct mhd_shim_options *o) {
    struct MHD_OptionItem pool[] = {
        {o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)o->threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNALLY | MHD_ALLOW_SUSPEND_RESUME, 0,
        o->on_accept, o->context, o->on_request, o->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)o->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, o->on_completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->on_connection, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->on_target, o->context,
        MHD_OPTION_UNESCAPE_CALLBACK, o->unescape, o->context,
        MHD_OPTION_ARRAY, pool,
        MHD_OPTION_END);
}

// MHD_get_connection_info is variadic and returns a union.
static inline int mhd_shim_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *mhd_shim_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline const struct sockaddr *mhd_shim_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// Bytes from the first byte of the method to the end of the blank line that ends the header section.
static inline size_t mhd_shim_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// MHD_set_response_options is variadic.
static inline void mhd_shim_never_chunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// Macros with casts.
static const uint64_t mhd_shim_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t mhd_shim_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t mhd_shim_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
