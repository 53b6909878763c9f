internal import CCurl

/// The owner of a multi handle of libcurl's, which has the connections.
@safe
struct MultiHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer

    init() throws(HTTPLoadError) {
        guard httpLibraryStart == CURLE_OK else {
            throw .library(
                code: Int(httpLibraryStart.rawValue),
                message: unsafe String(cString: curl_easy_strerror(httpLibraryStart)))
        }
        guard let pointer = unsafe curl_multi_init() else { throw .outOfMemory }
        unsafe self.pointer = pointer
    }

    deinit {
        _ = unsafe curl_multi_cleanup(pointer)
    }

    /// Has it tell the engine at `context` what it waits for.
    func listen(
        context: UnsafeMutableRawPointer, _ configuration: HTTPLoaderConfiguration
    ) -> CURLMcode {
        var listener = unsafe http_listener()
        unsafe listener.context = context
        unsafe listener.on_socket = { _, socket, what, context, _ in
            unsafe TransferEngine.of(context).watch(socket, for: what)
        }
        unsafe listener.on_timer = { _, milliseconds, context in
            unsafe TransferEngine.of(context).wait(milliseconds: milliseconds)
        }
        unsafe listener.connections = configuration.connections
        unsafe listener.connections_per_host = configuration.connectionsPerHost
        return unsafe http_listen(pointer, &listener)
    }

    /// Has it tell nobody any more.
    func fallSilent() {
        var listener = unsafe http_listener()
        _ = unsafe http_listen(pointer, &listener)
    }

    /// The next transfer that has ended, and how.
    func nextEnd() -> (HTTPTransfer, CURLcode)? {
        var context: UnsafeMutableRawPointer?
        var code = CURLE_OK
        guard unsafe http_next_end(pointer, &context, &code) else { return nil }
        return unsafe (HTTPTransfer.of(context), code)
    }
}

extension HTTPLoadError {
    /// What a refusal of the multi handle means.
    init(multi code: CURLMcode) {
        self =
            code == CURLM_OUT_OF_MEMORY
            ? .outOfMemory
            : .library(
                code: Int(code.rawValue), message: unsafe String(cString: curl_multi_strerror(code))
            )
    }
}
