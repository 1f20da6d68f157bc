#include "CPostgres.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
    char *name;
    int process;
    char *payload;
    void *next;
} notification;

// The numbers of libpq's enumerations, which are part of its interface.
enum { CONNECTION_OK = 0, COMMAND_OK = 1, TUPLES_OK = 2, FIELD_STATE = 'C', FIELD_MESSAGE = 'M' };
enum { ERRORS_DEFAULT = 1, ERRORS_SQLSTATE = 3 };

// X(result, name, parameters)
#define FUNCTIONS(X)                                                                                                 \
    X(int, PQlibVersion, (void))                                                                                     \
    X(cpostgres_connection *, PQconnectdbParams, (const char *const *names, const char *const *values, int expand))  \
    X(int, PQstatus, (const cpostgres_connection *))                                                                 \
    X(char *, PQerrorMessage, (const cpostgres_connection *))                                                        \
    X(void, PQfinish, (cpostgres_connection *))                                                                      \
    X(void, PQreset, (cpostgres_connection *))                                                                       \
    X(int, PQsetErrorVerbosity, (cpostgres_connection *, int))                                                       \
    X(void *, PQconninfoParse, (const char *, char **message))                                                       \
    X(void, PQconninfoFree, (void *))                                                                                \
    X(int, PQsocket, (const cpostgres_connection *))                                                                 \
    X(int, PQsendQuery, (cpostgres_connection *, const char *))                                                      \
    X(int, PQsendPrepare, (cpostgres_connection *, const char *, const char *, int, const unsigned *))               \
    X(int, PQsendQueryPrepared, (cpostgres_connection *, const char *, int, const char *const *, const int *,        \
                                 const int *, int))                                                                  \
    X(int, PQflush, (cpostgres_connection *))                                                                        \
    X(int, PQconsumeInput, (cpostgres_connection *))                                                                 \
    X(int, PQisBusy, (cpostgres_connection *))                                                                       \
    X(int, PQsetnonblocking, (cpostgres_connection *, int))                                                          \
    X(cpostgres_result *, PQgetResult, (cpostgres_connection *))                                                     \
    X(notification *, PQnotifies, (cpostgres_connection *))                                                          \
    X(void, PQfreemem, (void *))                                                                                     \
    X(int, PQresultStatus, (const cpostgres_result *))                                                               \
    X(char *, PQresultErrorField, (const cpostgres_result *, int))                                                   \
    X(int, PQntuples, (const cpostgres_result *))                                                                    \
    X(int, PQnfields, (const cpostgres_result *))                                                                    \
    X(char *, PQfname, (const cpostgres_result *, int))                                                              \
    X(unsigned, PQftype, (const cpostgres_result *, int))                                                            \
    X(int, PQgetisnull, (const cpostgres_result *, int, int))                                                        \
    X(int, PQgetlength, (const cpostgres_result *, int, int))                                                        \
    X(char *, PQgetvalue, (const cpostgres_result *, int, int))                                                      \
    X(char *, PQcmdTuples, (cpostgres_result *))                                                                     \
    X(void, PQclear, (cpostgres_result *))                                                                           \
    X(void *, PQsetNoticeProcessor, (cpostgres_connection *, void (*)(void *, const char *), void *))

static struct {
#define DECLARE(result, name, parameters) result(*name) parameters;
    FUNCTIONS(DECLARE)
#undef DECLARE
} pq;

static int is_loaded;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    is_loaded = library != NULL;
#define FIND(result, name, parameters) is_loaded = is_loaded && (*(void **)&pq.name = dlsym(library, #name)) != NULL;
    FUNCTIONS(FIND)
#undef FIND
}

int cpostgres_version(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded ? pq.PQlibVersion() : 0;
}

// Notices are ignored: everything important comes as an error.
static void ignore(void *context, const char *message) { (void)context; (void)message; }

static void set_up(cpostgres_connection *connection) {
    if (pq.PQstatus(connection) != CONNECTION_OK) return;
    pq.PQsetNoticeProcessor(connection, ignore, NULL);
    pq.PQsetnonblocking(connection, 1);
}

cpostgres_connection *cpostgres_connect(const char *url, int seconds) {
    if (cpostgres_version() == 0) return NULL;
    char timeout[16];
    snprintf(timeout, sizeof timeout, "%d", seconds);
    // Values before the address are defaults for it; values behind it override it.
    const char *names[] = {"connect_timeout", "application_name", "keepalives_idle", "keepalives_interval",
                           "keepalives_count", "tcp_user_timeout", "dbname", "client_encoding", NULL};
    const char *values[] = {timeout, "offline-server", "5", "2", "3", "10000", url, "UTF8", NULL};
    cpostgres_connection *connection = pq.PQconnectdbParams(names, values, 1);
    if (connection != NULL) set_up(connection);
    return connection;
}

void cpostgres_connect_for_state(cpostgres_connection *connection) {
    pq.PQsetErrorVerbosity(connection, ERRORS_SQLSTATE);
    pq.PQreset(connection);
    pq.PQsetErrorVerbosity(connection, ERRORS_DEFAULT);
    set_up(connection);
}

int cpostgres_is_open(const cpostgres_connection *connection) { return pq.PQstatus(connection) == CONNECTION_OK; }

const char *cpostgres_error(const cpostgres_connection *connection) { return pq.PQerrorMessage(connection); }

void cpostgres_close(cpostgres_connection *connection) { pq.PQfinish(connection); }

int cpostgres_is_url(const char *url, char *message, size_t size) {
    if (cpostgres_version() == 0) return 0;
    char *fault = NULL;
    void *options = pq.PQconninfoParse(url, &fault);
    if (options != NULL) pq.PQconninfoFree(options);
    if (fault != NULL) {
        snprintf(message, size, "%s", fault);
        pq.PQfreemem(fault);
    }
    return options != NULL;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Returns 1 if there may be something to read, 0 when the time is over, -1 if the connection was lost.
static int await_input(cpostgres_connection *connection, int64_t deadline, int is_writing) {
    for (;;) {
        const int64_t left = deadline - now();
        if (left < 0) return 0;
        struct pollfd file = {pq.PQsocket(connection), (short)(POLLIN | (is_writing ? POLLOUT : 0)), 0};
        if (file.fd < 0) return -1;
        const int ready = poll(&file, 1, (int)(left > 1000000 ? 1000000 : left + 1));
        if (ready > 0) return pq.PQconsumeInput(connection) ? 1 : -1;
        if (ready < 0 && errno != EINTR) return -1;
    }
}

// The last result of the sent statements; all results are read.
static cpostgres_result *answer(cpostgres_connection *connection, int was_sent, int milliseconds) {
    const int64_t deadline = now() + milliseconds;
    if (!was_sent) return NULL;
    int left;
    while ((left = pq.PQflush(connection)) != 0) {
        if (left < 0 || await_input(connection, deadline, 1) <= 0) return NULL;
    }
    cpostgres_result *last = NULL;
    for (;;) {
        while (pq.PQisBusy(connection)) {
            if (await_input(connection, deadline, 0) <= 0) {
                if (last != NULL) pq.PQclear(last);
                return NULL;
            }
        }
        cpostgres_result *next = pq.PQgetResult(connection);
        if (next == NULL) break;
        // The first error of a script ends it.
        if (last != NULL) pq.PQclear(last);
        last = next;
    }
    if (last != NULL && pq.PQstatus(connection) != CONNECTION_OK) {
        pq.PQclear(last);
        return NULL;
    }
    return last;
}

cpostgres_result *cpostgres_script(cpostgres_connection *connection, const char *sql, int milliseconds) {
    return answer(connection, pq.PQsendQuery(connection, sql), milliseconds);
}

cpostgres_result *cpostgres_prepare(cpostgres_connection *connection, const char *name, const char *sql,
                                    int milliseconds) {
    return answer(connection, pq.PQsendPrepare(connection, name, sql, 0, NULL), milliseconds);
}

cpostgres_result *cpostgres_execute(cpostgres_connection *connection, const char *name, int count,
                                    const char *const *values, const int *lengths, const int *formats,
                                    int milliseconds) {
    return answer(connection, pq.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1),
                  milliseconds);
}

int cpostgres_await(cpostgres_connection *connection, int milliseconds) {
    const int64_t deadline = now() + milliseconds;
    for (;;) {
        int count = 0;
        for (notification *one; (one = pq.PQnotifies(connection)) != NULL; count++) pq.PQfreemem(one);
        if (count > 0) return count;
        const int ready = await_input(connection, deadline, 0);
        if (ready <= 0) return ready;
        if (pq.PQstatus(connection) != CONNECTION_OK) return -1;
    }
}

int cpostgres_succeeded(const cpostgres_result *result) {
    const int status = pq.PQresultStatus(result);
    return status == COMMAND_OK || status == TUPLES_OK;
}

static const char *field(const cpostgres_result *result, int code) {
    const char *text = pq.PQresultErrorField(result, code);
    return text != NULL ? text : "";
}

const char *cpostgres_state(const cpostgres_result *result) { return field(result, FIELD_STATE); }
const char *cpostgres_message(const cpostgres_result *result) { return field(result, FIELD_MESSAGE); }
int cpostgres_rows(const cpostgres_result *result) { return pq.PQntuples(result); }
int cpostgres_columns(const cpostgres_result *result) { return pq.PQnfields(result); }
const char *cpostgres_name(const cpostgres_result *result, int column) { return pq.PQfname(result, column); }
unsigned cpostgres_type(const cpostgres_result *result, int column) { return pq.PQftype(result, column); }

const uint8_t *cpostgres_value(const cpostgres_result *result, int row, int column, int *length) {
    if (pq.PQgetisnull(result, row, column)) return NULL;
    *length = pq.PQgetlength(result, row, column);
    return (const uint8_t *)pq.PQgetvalue(result, row, column);
}

const char *cpostgres_changed(cpostgres_result *result) { return pq.PQcmdTuples(result); }
void cpostgres_clear(cpostgres_result *result) { pq.PQclear(result); }
