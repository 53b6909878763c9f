// libcurl's multi-socket interface. Its setters take any number of arguments of any type, which
// Swift can't call: those that are used have functions of their own here.

#ifndef C_CURL_H
#define C_CURL_H

#include <curl/curl.h>

/// The version of the library that the program runs with.
const char *http_library_version(void);

#endif
