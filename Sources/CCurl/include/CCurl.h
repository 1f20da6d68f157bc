#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// libcurl, loaded at its first call: if it were linked, it and the 25 libraries behind it would add 3 ms to every
// start of the program, also of commands that fetch nothing. Its functions have their own names and are defined in
// load.c; without the library they report that once on standard error and fail.

// curl_easy_setopt, curl_easy_getinfo, curl_multi_setopt and curl_share_setopt are variadic and CURLMsg holds a
// union; Swift imports neither. Each function below is one type of the argument.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list);
CURLcode ccurl_set_share(CURL *easy, CURLSH *share);

// Options whose value is a function: one setter each, so that the compiler checks the function's type.
CURLcode ccurl_set_write_function(CURL *easy, curl_write_callback function);
CURLcode ccurl_set_header_function(CURL *easy, curl_write_callback function);
CURLcode ccurl_set_read_function(CURL *easy, curl_read_callback function);
CURLcode ccurl_set_seek_function(CURL *easy, curl_seek_callback function);
CURLcode ccurl_set_open_socket_function(CURL *easy, curl_opensocket_callback function);
CURLcode ccurl_set_prerequest_function(CURL *easy, curl_prereq_callback function);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value);
CURLcode ccurl_get_list(CURL *easy, CURLINFO info, struct curl_slist **value);

// Without it, `ccurl_multi_abandon_handle` is `curl_multi_remove_handle`.
CURLcode ccurl_set_close_socket_function(CURL *easy);
// Removes a running transfer, and resets its connection unless it is shared. After an orderly end of the connection,
// an origin would write once more.
CURLMcode ccurl_multi_abandon_handle(CURLM *multi, CURL *easy);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data);
CURLSHcode ccurl_share_set_locks(CURLSH *share, curl_lock_function lock, curl_unlock_function unlock, void *context);

// Versions of libcurl differ in whether this one's first parameter is const.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags);

// The union member of CURLMsg, valid when msg is CURLMSG_DONE.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }
