#include "CCurl.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// X(result, name, parameters, arguments, result without the library)
#define CCURL_FUNCTIONS(X)                                                                                           \
    X(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)                                          \
    X(curl_version_info_data *, curl_version_info, (CURLversion version), (version), NULL)                           \
    X(time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused), -1)                            \
    X(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text), NULL)      \
    X(CURL *, curl_easy_init, (void), (), NULL)                                                                      \
    X(CURLcode, curl_easy_pause, (CURL * easy, int bits), (easy, bits), CURLE_FAILED_INIT)                           \
    X(CURLM *, curl_multi_init, (void), (), NULL)                                                                    \
    X(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL * easy), (multi, easy), CURLM_INTERNAL_ERROR)           \
    X(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL * easy), (multi, easy), CURLM_INTERNAL_ERROR)        \
    X(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running), CURLM_INTERNAL_ERROR)          \
    X(CURLMcode, curl_multi_poll,                                                                                    \
      (CURLM * multi, struct curl_waitfd extra[], unsigned count, int milliseconds, int *awake),                     \
      (multi, extra, count, milliseconds, awake), CURLM_INTERNAL_ERROR)                                              \
    X(CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi), CURLM_INTERNAL_ERROR)                                  \
    X(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi), CURLM_INTERNAL_ERROR)                                 \
    X(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left), NULL)                              \
    X(CURLSH *, curl_share_init, (void), (), NULL)                                                                   \
    X(CURLSHcode, curl_share_cleanup, (CURLSH * share), (share), CURLSHE_INVALID)                                    \
    X(CURLU *, curl_url, (void), (), NULL)                                                                           \
    X(CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned flags),                      \
      (url, part, text, flags), CURLUE_BAD_HANDLE)                                                                   \
    X(void, curl_easy_cleanup, (CURL * easy), (easy), )                                                              \
    X(void, curl_easy_reset, (CURL * easy), (easy), )                                                                \
    X(void, curl_slist_free_all, (struct curl_slist * list), (list), )                                               \
    X(void, curl_url_cleanup, (CURLU * url), (url), )                                                                \
    X(void, curl_free, (void *memory), (memory), )

static struct {
#define CCURL_DECLARE(result, name, parameters, arguments, failure) result(*name) parameters;
    CCURL_FUNCTIONS(CCURL_DECLARE)
#undef CCURL_DECLARE
    CURLcode (*curl_easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*curl_easy_getinfo)(CURL *, CURLINFO, ...);
    CURLMcode (*curl_multi_setopt)(CURLM *, CURLMoption, ...);
    CURLSHcode (*curl_share_setopt)(CURLSH *, CURLSHoption, ...);
    CURLUcode (*curl_url_get)(CURLU *, CURLUPart, char **, unsigned);
} curl;

static int is_loaded;

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    is_loaded = library != NULL;
#define CCURL_FIND(name) is_loaded = is_loaded && (*(void **)&curl.name = dlsym(library, #name)) != NULL;
#define CCURL_LOAD(result, name, parameters, arguments, failure) CCURL_FIND(name)
    CCURL_FUNCTIONS(CCURL_LOAD)
#undef CCURL_LOAD
    CCURL_FIND(curl_easy_setopt)
    CCURL_FIND(curl_easy_getinfo)
    CCURL_FIND(curl_multi_setopt)
    CCURL_FIND(curl_share_setopt)
    CCURL_FIND(curl_url_get)
#undef CCURL_FIND
    if (!is_loaded) {
        fprintf(stderr, "offline-server: %s; install the package libcurl4\n", dlerror());
        return;
    }
    // An older libcurl refuses the options that restrict transfers to http and https, and nothing checks that error.
    const curl_version_info_data *info = curl.curl_version_info(CURLVERSION_NOW);
    is_loaded = info->version_num >= 0x075500;
    if (!is_loaded) {
        fprintf(stderr, "offline-server: libcurl %s is too old; install libcurl4 7.85 or newer\n", info->version);
    }
}

static int ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

#define CCURL_DEFINE(result, name, parameters, arguments, failure)                                                   \
    result name parameters {                                                                                         \
        if (!ready()) return failure;                                                                                \
        return curl.name arguments;                                                                                  \
    }
CCURL_FUNCTIONS(CCURL_DEFINE)
#undef CCURL_DEFINE

// A caller that has a handle has loaded the library.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}
CURLcode ccurl_set_share(CURL *easy, CURLSH *share) { return curl.curl_easy_setopt(easy, CURLOPT_SHARE, share); }

CURLcode ccurl_set_write_function(CURL *easy, curl_write_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}
CURLcode ccurl_set_header_function(CURL *easy, curl_write_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}
CURLcode ccurl_set_read_function(CURL *easy, curl_read_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}
CURLcode ccurl_set_seek_function(CURL *easy, curl_seek_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}
CURLcode ccurl_set_open_socket_function(CURL *easy, curl_opensocket_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}
CURLcode ccurl_set_prerequest_function(CURL *easy, curl_prereq_callback function) {
    return curl.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) { return curl.curl_easy_getinfo(easy, info, value); }
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl.curl_easy_getinfo(easy, info, value);
}
CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl.curl_easy_getinfo(easy, info, (char **)value);
}
CURLcode ccurl_get_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
    return curl.curl_easy_getinfo(easy, info, value);
}

static _Thread_local int is_abandoning;

static int close_socket(void *unused, curl_socket_t connection) {
    (void)unused;
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (is_abandoning) (void)setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    return close(connection);
}

CURLcode ccurl_set_close_socket_function(CURL *easy) {
    return curl.curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
}

CURLMcode ccurl_multi_abandon_handle(CURLM *multi, CURL *easy) {
    is_abandoning = 1;
    CURLMcode result = curl_multi_remove_handle(multi, easy);
    is_abandoning = 0;
    return result;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl.curl_multi_setopt(multi, option, value);
}
CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data) {
    return curl.curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
CURLSHcode ccurl_share_set_locks(CURLSH *share, curl_lock_function lock, curl_unlock_function unlock, void *context) {
    CURLSHcode code = curl.curl_share_setopt(share, CURLSHOPT_USERDATA, context);
    if (code == CURLSHE_OK) code = curl.curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock);
    if (code == CURLSHE_OK) code = curl.curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock);
    return code;
}

CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags) {
    return curl.curl_url_get(url, part, text, flags);
}
