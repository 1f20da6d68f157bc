#pragma once
#include <stddef.h>
#include <stdint.h>

// The functions of libpq for the catalog, loaded at their first use: only a store with its catalog in PostgreSQL
// needs the library. It is not needed to build.

typedef struct cpostgres_connection cpostgres_connection;
typedef struct cpostgres_result cpostgres_result;

// The version of libpq as it counts (140005 is 14.5); 0 when it is not there.
int cpostgres_version(void);

// Connects, which takes `seconds` at most for each address of the host. Returns NULL without memory or library only:
// ask whether it is open.
cpostgres_connection *cpostgres_connect(const char *url, int seconds);
// Connects once more where that has failed. If the server refuses it, the error ends with five characters (SQLSTATE):
// libpq tells them of a connection that has not come about in no other way.
void cpostgres_connect_for_state(cpostgres_connection *connection);
int cpostgres_is_open(const cpostgres_connection *connection);
// The last error, in the words of the library; it ends with a line end.
const char *cpostgres_error(const cpostgres_connection *connection);
void cpostgres_close(cpostgres_connection *connection);
// Whether `url` can be read; otherwise `message` gets the fault.
int cpostgres_is_url(const char *url, char *message, size_t size);

// Each of these waits at most `milliseconds` for the answer. NULL if the connection was lost or the time is over.
cpostgres_result *cpostgres_script(cpostgres_connection *connection, const char *sql, int milliseconds);
cpostgres_result *cpostgres_prepare(cpostgres_connection *connection, const char *name, const char *sql, int milliseconds);
// Values are text, or bytes where the format is 1; the result is binary.
cpostgres_result *cpostgres_execute(cpostgres_connection *connection, const char *name, int count,
                                    const char *const *values, const int *lengths, const int *formats,
                                    int milliseconds);
// Waits for notifications. Returns their number, 0 when the time is over, -1 if the connection was lost.
int cpostgres_await(cpostgres_connection *connection, int milliseconds);

int cpostgres_succeeded(const cpostgres_result *result);
// Five characters (SQLSTATE), and a sentence; empty when there are none.
const char *cpostgres_state(const cpostgres_result *result);
const char *cpostgres_message(const cpostgres_result *result);
int cpostgres_rows(const cpostgres_result *result);
int cpostgres_columns(const cpostgres_result *result);
const char *cpostgres_name(const cpostgres_result *result, int column);
// The OID of the column's type.
unsigned cpostgres_type(const cpostgres_result *result, int column);
// NULL when the value is.
const uint8_t *cpostgres_value(const cpostgres_result *result, int row, int column, int *length);
// The number of rows that the statement has changed, in digits; empty for a statement that changes none.
const char *cpostgres_changed(cpostgres_result *result);
void cpostgres_clear(cpostgres_result *result);
