#include "CMicroHTTPD.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// X(result, name, parameters, arguments, result without the library)
#define MHD_SHIM_FUNCTIONS(X)                                                                                        \
    X(const char *, MHD_get_version, (void), (), NULL)                                                               \
    X(enum MHD_Result, MHD_add_response_header,                                                                      \
      (struct MHD_Response * response, const char *name, const char *value), (response, name, value), MHD_NO)        \
    X(struct MHD_Response *, MHD_create_response_from_buffer,                                                        \
      (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode), NULL)                     \
    X(struct MHD_Response *, MHD_create_response_from_buffer_with_free_callback_cls,                                 \
      (size_t size, void *buffer, MHD_ContentReaderFreeCallback release, void *context),                             \
      (size, buffer, release, context), NULL)                                                                        \
    X(struct MHD_Response *, MHD_create_response_from_callback,                                                      \
      (uint64_t size, size_t block, MHD_ContentReaderCallback read, void *context,                                   \
       MHD_ContentReaderFreeCallback release),                                                                       \
      (size, block, read, context, release), NULL)                                                                   \
    X(int, MHD_get_connection_values_n,                                                                              \
      (struct MHD_Connection * connection, enum MHD_ValueKind kind, MHD_KeyValueIteratorN each, void *context),      \
      (connection, kind, each, context), -1)                                                                         \
    X(enum MHD_Result, MHD_queue_response,                                                                           \
      (struct MHD_Connection * connection, unsigned status, struct MHD_Response * response),                         \
      (connection, status, response), MHD_NO)                                                                        \
    X(void, MHD_destroy_response, (struct MHD_Response * response), (response), )                                    \
    X(void, MHD_suspend_connection, (struct MHD_Connection * connection), (connection), )                            \
    X(void, MHD_resume_connection, (struct MHD_Connection * connection), (connection), )                             \
    X(void, MHD_stop_daemon, (struct MHD_Daemon * daemon), (daemon), )

static struct {
#define MHD_SHIM_DECLARE(result, name, parameters, arguments, failure) result(*name) parameters;
    MHD_SHIM_FUNCTIONS(MHD_SHIM_DECLARE)
#undef MHD_SHIM_DECLARE
    __typeof__(&MHD_start_daemon) MHD_start_daemon;
    __typeof__(&MHD_get_connection_info) MHD_get_connection_info;
    __typeof__(&MHD_set_response_options) MHD_set_response_options;
    __typeof__(&MHD_set_connection_option) MHD_set_connection_option;
} mhd;

static int is_loaded;

static void load(void) {
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    is_loaded = library != NULL;
#define MHD_SHIM_FIND(name) is_loaded = is_loaded && (*(void **)&mhd.name = dlsym(library, #name)) != NULL;
#define MHD_SHIM_LOAD(result, name, parameters, arguments, failure) MHD_SHIM_FIND(name)
    MHD_SHIM_FUNCTIONS(MHD_SHIM_LOAD)
#undef MHD_SHIM_LOAD
    MHD_SHIM_FIND(MHD_start_daemon)
    MHD_SHIM_FIND(MHD_get_connection_info)
    MHD_SHIM_FIND(MHD_set_response_options)
    MHD_SHIM_FIND(MHD_set_connection_option)
#undef MHD_SHIM_FIND
    if (!is_loaded) fprintf(stderr, "offline-server: %s; install the package libmicrohttpd12\n", dlerror());
}

static int ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

#define MHD_SHIM_DEFINE(result, name, parameters, arguments, failure)                                                \
    result name parameters {                                                                                         \
        if (!ready()) return failure;                                                                                \
        return mhd.name arguments;                                                                                   \
    }
MHD_SHIM_FUNCTIONS(MHD_SHIM_DEFINE)
#undef MHD_SHIM_DEFINE

// MHD_start_daemon is variadic; MHD_USE_* are OR-ed. A pool of one thread must not be asked for by name.
struct MHD_Daemon *mhd_shim_start(const struct mhd_shim_options *o) {
    if (!ready()) return NULL;
    struct MHD_OptionItem pool[] = {
        {o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)o->threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return mhd.MHD_start_daemon(
        MHD_USE_EPOLL_INTERNALLY | MHD_ALLOW_SUSPEND_RESUME, 0,
        o->on_accept, o->context, o->on_request, o->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)o->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, o->address_connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, o->on_completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->on_connection, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->on_target, o->context,
        MHD_OPTION_UNESCAPE_CALLBACK, o->unescape, o->context,
        MHD_OPTION_ARRAY, pool,
        MHD_OPTION_END);
}

void mhd_shim_set_idle_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    (void)mhd.MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

int mhd_shim_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

void *mhd_shim_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

const struct sockaddr *mhd_shim_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

size_t mhd_shim_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

void mhd_shim_never_chunked(struct MHD_Response *response) {
    mhd.MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
