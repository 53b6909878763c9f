// libcurl's multi-socket interface. Its setters take any number of arguments of any type, which
// Swift can't call: those that are used have functions of their own here.

#ifndef C_CURL_H
#define C_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

/// Readies the library, once a process; 0, or what went wrong.
CURLcode http_library_start(void);

/// The request of a transfer. The list of headers is not copied.
typedef struct {
    /// Whether HTTP/2 may be spoken, where TLS offers it.
    bool is_secure;
    struct curl_slist *headers;
    long redirects;
    long time_limit_ms;
    long connect_limit_ms;
    /// Slower than this for so long, it has failed.
    long least_bytes_per_second;
    long least_speed_seconds;
    /// A connection that was idle for longer isn't used again.
    long idle_seconds;
    /// Handed to the callbacks.
    void *context;
    curl_write_callback on_header;
    curl_write_callback on_body;
    curl_resolver_start_callback on_lookup;
    curl_opensocket_callback on_socket;
    /// CURL_ERROR_SIZE bytes for what the library has to say of a failure.
    char *message;
} http_request;

/// Sets the request of a handle that was just made; 0, or the first thing that it refused.
///
/// Redirects lead to the protocols that are given with commas between. The proxy is an address, "" for
/// none, NULL for what the environment says. The authorities are a file of certificates that are trusted,
/// NULL for the system's. Texts are copied.
CURLcode http_prepare(
    CURL *easy, const http_request *request, const char *url, const char *user_agent,
    const char *redirect_protocols, const char *proxy, const char *authorities);

/// The facts about a transfer that has ended.
typedef struct {
    /// In seconds; 0 if the server didn't say.
    curl_off_t retry_after;
    curl_off_t microseconds;
    /// Belongs to the handle.
    const char *url;
} http_facts;

http_facts http_facts_of(CURL *easy);

/// Reads the address that a socket is to be opened for: copies 4 or 16 bytes and returns their number, 0
/// if it is of neither family.
int http_address(const struct curl_sockaddr *place, uint8_t *bytes, uint16_t *port);

/// Opens a socket as the library itself would, but one that programs which are started don't inherit.
curl_socket_t http_socket(const struct curl_sockaddr *place);

/// The callbacks for the sockets and the moment that the library waits for.
typedef struct {
    void *context;
    curl_socket_callback on_socket;
    curl_multi_timer_callback on_timer;
    long connections;
    long connections_per_host;
} http_listener;

CURLMcode http_listen(CURLM *multi, const http_listener *listener);

/// Takes the next transfer that has ended; false if there's none.
bool http_next_end(CURLM *multi, void **context, CURLcode *code);

/// Takes an address apart; the strings are the caller's, for curl_free. 0, or what is wrong with it. The
/// key is the address without its fragment, NULL if there's a user in it.
CURLUcode http_take_apart(const char *url, char **scheme, char **origin, char **key);

#endif
