// libcurl's multi-socket interface. Its option setters are variadic, which Swift can't call: the
// options that are used have functions of their own here.

#ifndef C_CURL_H
#define C_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

/// Initializes the library, once per process; returns 0 or an error code.
CURLcode http_library_start(void);

/// The options of a transfer. The list of headers is not copied.
typedef struct {
    /// Whether HTTP/2 may be used, where TLS negotiates it.
    bool is_secure;
    struct curl_slist *headers;
    long redirects;
    long time_limit_ms;
    long connect_limit_ms;
    /// The transfer fails if it's slower than this for `least_speed_seconds`.
    long least_bytes_per_second;
    long least_speed_seconds;
    /// The time after which an idle connection isn't reused.
    long idle_seconds;
    /// The argument of the callbacks.
    void *context;
    curl_write_callback on_header;
    curl_write_callback on_body;
    curl_resolver_start_callback on_lookup;
    curl_opensocket_callback on_socket;
    /// A buffer of CURL_ERROR_SIZE bytes for the library's error message.
    char *message;
} http_request;

/// Sets the options of a new handle; returns 0 or the first error.
///
/// Redirects are followed to `redirect_protocols`, a comma-separated list. The proxy is a URL, ""
/// for none, NULL for that of the environment. `authorities` is a PEM file of trusted certificates,
/// NULL for the system's. Strings are copied.
CURLcode http_prepare(
    CURL *easy, const http_request *request, const char *url, const char *user_agent,
    const char *redirect_protocols, const char *proxy, const char *certificateAuthorityFile);

/// Returns whether the library decodes a content coding, given in lowercase.
bool http_decodes(const char *coding);

/// The facts about a transfer that has ended.
typedef struct {
    /// The seconds of `Retry-After`; 0 if the server sent none.
    curl_off_t retry_after;
    curl_off_t microseconds;
    /// The URL after redirects; it belongs to the handle.
    const char *url;
} http_facts;

http_facts http_facts_of(CURL *easy);

/// Reads the address that a socket is to be opened for: copies 4 or 16 bytes and returns their
/// number; 0 if it's neither IPv4 nor IPv6.
int http_address(const struct curl_sockaddr *place, uint8_t *bytes, uint16_t *port);

/// Opens a socket as the library itself would, but with close-on-exec.
curl_socket_t http_socket(const struct curl_sockaddr *place);

/// The callbacks for the sockets and the time that the library waits for.
typedef struct {
    void *context;
    curl_socket_callback on_socket;
    curl_multi_timer_callback on_timer;
    long connections;
    long connections_per_host;
} http_listener;

CURLMcode http_listen(CURLM *multi, const http_listener *listener);

/// Takes the next transfer that has ended; returns false if there's none.
bool http_next_end(CURLM *multi, void **context, CURLcode *code);

/// Splits a URL; the caller frees the strings with curl_free. Returns 0 or an error code. The key
/// is the URL without its fragment, NULL if the URL contains a user name.
CURLUcode http_take_apart(const char *url, char **scheme, char **origin, char **key);

#endif
