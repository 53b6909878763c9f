#include "CCurl.h"

const char *http_library_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }
