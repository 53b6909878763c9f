internal import CLullCurl

/// The scheme and the server of a URL, and its key in a cache.
struct URLOrigin: Hashable {
    let scheme: String
    /// The host name and the port.
    let server: String
    /// The URL without its fragment; nil if it contains a user name.
    let key: String?

    /// Parses a URL.
    init(of url: String) throws(HTTPLoadError) {
        guard !url.utf8.contains(0) else { throw .badURL(url) }
        var scheme: UnsafeMutablePointer<CChar>?
        var server: UnsafeMutablePointer<CChar>?
        var key: UnsafeMutablePointer<CChar>?
        defer {
            unsafe curl_free(scheme)
            unsafe curl_free(server)
            unsafe curl_free(key)
        }
        let code = unsafe http_take_apart(url, &scheme, &server, &key)
        guard code != CURLUE_OUT_OF_MEMORY else { throw .outOfMemory }
        guard code == CURLUE_OK, let scheme = unsafe scheme, let server = unsafe server else {
            throw .badURL(url)
        }
        unsafe self.scheme = String(cString: scheme)
        unsafe self.server = String(cString: server)
        unsafe self.key = key.map { unsafe String(cString: $0) }
        guard self.scheme == "http" || self.scheme == "https" else {
            throw .refusedScheme(self.scheme)
        }
    }
}
