internal import CCurl

/// The server that an address leads to.
struct URLOrigin: Hashable {
    let scheme: String
    /// The server and its port.
    let server: String
    /// The whole address but for its fragment, if there's no password in it.
    let key: String?

    /// Takes an address apart.
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
