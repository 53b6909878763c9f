#include "CLullCurl.h"

#include <curl/mprintf.h>
#include <netinet/in.h>
#include <string.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or later is needed"
#endif

CURLcode http_library_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#define SET(option, value)                                     \
    do {                                                       \
        CURLcode code = curl_easy_setopt(easy, option, value); \
        if (code != CURLE_OK) return code;                     \
    } while (0)

CURLcode http_prepare(
    CURL *easy, const http_request *request, const char *url, const char *user_agent,
    const char *redirect_protocols, const char *proxy, const char *certificateAuthorityFile) {
    SET(CURLOPT_PRIVATE, request->context);
    SET(CURLOPT_ERRORBUFFER, request->message);
    SET(CURLOPT_HEADERFUNCTION, request->on_header);
    SET(CURLOPT_HEADERDATA, request->context);
    SET(CURLOPT_WRITEFUNCTION, request->on_body);
    SET(CURLOPT_WRITEDATA, request->context);
    SET(CURLOPT_RESOLVER_START_FUNCTION, request->on_lookup);
    SET(CURLOPT_RESOLVER_START_DATA, request->context);
    SET(CURLOPT_OPENSOCKETFUNCTION, request->on_socket);
    SET(CURLOPT_OPENSOCKETDATA, request->context);
    // Signals are left to the program.
    SET(CURLOPT_NOSIGNAL, 1L);
    // A name lookup in progress is abandoned at cleanup, not waited for.
    SET(CURLOPT_QUICK_EXIT, 1L);

    SET(CURLOPT_URL, url);
    SET(CURLOPT_HTTPGET, 1L);
    SET(CURLOPT_HTTPHEADER, request->headers);
    SET(CURLOPT_USERAGENT, user_agent);
    SET(CURLOPT_PROXY, proxy);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    // All codings that this library decodes.
    SET(CURLOPT_ACCEPT_ENCODING, "");
    // HTTP/2 where TLS negotiates it. A second transfer then waits to see whether it can share the
    // first one's connection (PIPEWAIT). Without TLS that would be known only after the first
    // response.
    SET(CURLOPT_HTTP_VERSION,
        (long)(request->is_secure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    SET(CURLOPT_PIPEWAIT, (long)request->is_secure);
    SET(CURLOPT_MAXAGE_CONN, request->idle_seconds);

    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (certificateAuthorityFile) SET(CURLOPT_CAINFO, certificateAuthorityFile);

    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, redirect_protocols);
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_MAXREDIRS, request->redirects);

    SET(CURLOPT_TIMEOUT_MS, request->time_limit_ms);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_limit_ms);
    SET(CURLOPT_LOW_SPEED_LIMIT, request->least_bytes_per_second);
    SET(CURLOPT_LOW_SPEED_TIME, request->least_speed_seconds);
    return CURLE_OK;
}

bool http_decodes(const char *coding) {
    static const struct { const char *name; int feature; } known[] = {
        {"gzip", CURL_VERSION_LIBZ}, {"x-gzip", CURL_VERSION_LIBZ}, {"deflate", CURL_VERSION_LIBZ},
        {"br", CURL_VERSION_BROTLI}, {"zstd", CURL_VERSION_ZSTD},
    };
    int features = curl_version_info(CURLVERSION_NOW)->features;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, coding)) return features & known[i].feature;
    return false;
}

http_facts http_facts_of(CURL *easy) {
    http_facts facts = {0};
    char *url = NULL;
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &facts.retry_after);
    curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &facts.microseconds);
    curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
    facts.url = url;
    return facts;
}

int http_address(const struct curl_sockaddr *place, uint8_t *bytes, uint16_t *port) {
    const struct sockaddr *address = &place->addr;
    if (place->family == AF_INET) {
        const struct sockaddr_in *found = (const struct sockaddr_in *)address;
        *port = ntohs(found->sin_port);
        memcpy(bytes, &found->sin_addr, 4);
        return 4;
    }
    if (place->family != AF_INET6) return 0;
    const struct sockaddr_in6 *found = (const struct sockaddr_in6 *)address;
    *port = ntohs(found->sin6_port);
    memcpy(bytes, &found->sin6_addr, 16);
    return 16;
}

curl_socket_t http_socket(const struct curl_sockaddr *place) {
    return socket(place->family, place->socktype | SOCK_CLOEXEC, place->protocol);
}

#define SET_MULTI(option, value)                                  \
    do {                                                          \
        CURLMcode code = curl_multi_setopt(multi, option, value); \
        if (code != CURLM_OK) return code;                        \
    } while (0)

CURLMcode http_listen(CURLM *multi, const http_listener *listener) {
    SET_MULTI(CURLMOPT_SOCKETDATA, listener->context);
    SET_MULTI(CURLMOPT_SOCKETFUNCTION, listener->on_socket);
    SET_MULTI(CURLMOPT_TIMERDATA, listener->context);
    SET_MULTI(CURLMOPT_TIMERFUNCTION, listener->on_timer);
    SET_MULTI(CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    SET_MULTI(CURLMOPT_MAXCONNECTS, listener->connections);
    SET_MULTI(CURLMOPT_MAX_TOTAL_CONNECTIONS, listener->connections);
    SET_MULTI(CURLMOPT_MAX_HOST_CONNECTIONS, listener->connections_per_host);
    return CURLM_OK;
}

bool http_next_end(CURLM *multi, void **context, CURLcode *code) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *private = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        *context = private;
        *code = message->data.result;
        return true;
    }
    return false;
}

CURLUcode http_take_apart(const char *url, char **scheme, char **origin, char **key) {
    char *host = NULL, *port = NULL, *user = NULL;
    *scheme = *origin = *key = NULL;
    CURLU *parts = curl_url();
    if (!parts) return CURLUE_OUT_OF_MEMORY;
    CURLUcode code = curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
    if (code == CURLUE_OK) code = curl_url_get(parts, CURLUPART_SCHEME, scheme, 0);
    // URLs of other schemes may have no host.
    if (code == CURLUE_OK) {
        curl_url_get(parts, CURLUPART_HOST, &host, 0);
        curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
        *origin = curl_maprintf("%s:%s", host ? host : "", port ? port : "");
        if (curl_url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_NO_USER &&
            curl_url_set(parts, CURLUPART_FRAGMENT, NULL, 0) == CURLUE_OK)
            curl_url_get(parts, CURLUPART_URL, key, 0);
    }
    curl_free(user);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(parts);
    return code;
}
