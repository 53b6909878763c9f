internal import CGallery
internal import Glibc
internal import Synchronization

/// The owner of libevent's HTTP server, which frees it with its listeners and connections.
///
/// Only this file, ``BufferHandle``, ``RequestHandle`` and ``LoopEvent`` call libevent.
@safe struct EvHTTP: ~Copyable {
    private let http: OpaquePointer
    private let base: OpaquePointer

    /// Creates an HTTP server on a base, with callbacks to `server`.
    init(on base: OpaquePointer, for server: WebServer) throws(WebError) {
        guard let http = unsafe evhttp_new(base) else {
            throw .system(call: "evhttp_new", errno: errno)
        }
        unsafe self.http = http
        unsafe self.base = base
        unsafe evhttp_set_max_headers_size(http, server.limits.headerBytes)
        unsafe evhttp_set_max_body_size(http, server.limits.bodyBytes)
        // All methods are passed on, so that this server's own answer lists the allowed ones.
        unsafe evhttp_set_allowed_methods(http, UInt16.max)
        unsafe evhttp_set_default_content_type(http, nil)
        let context = unsafe Unmanaged.passUnretained(server).toOpaque()
        unsafe evhttp_set_bevcb(
            http, { base, context in unsafe EvHTTP.server(context)?.accepted(on: base) }, context)
        unsafe evhttp_set_gencb(
            http,
            { request, context in
                guard let request = unsafe request else { return }
                let server = unsafe EvHTTP.server(context)
                server?.inside { unsafe server?.received(RequestHandle(request)) }
            }, context)
        EvHTTP.servers.withLock { $0[UInt(bitPattern: http)] = UInt(bitPattern: context) }
    }

    deinit {
        EvHTTP.servers.withLock { unsafe $0[UInt(bitPattern: http)] = nil }
        unsafe evhttp_free(http)
    }

    /// Accepts connections on a socket, which is closed with the server.
    func listen(on socket: consuming ListeningSocket) throws(WebError) -> ListenerHandle {
        // A libevent backlog of 0 means that the socket is listening already.
        let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC
        guard let listener = unsafe evconnlistener_new(base, nil, nil, flags, 0, socket.descriptor)
        else { throw .system(call: "evconnlistener_new", errno: errno) }
        _ = socket.take()  // the listener's
        guard let bound = unsafe evhttp_bind_listener(http, listener) else {
            unsafe evconnlistener_free(listener)
            throw .system(call: "evhttp_bind_listener", errno: errno)
        }
        unsafe evconnlistener_set_error_cb(listener) { _, http in
            let code = errno
            // All callbacks of listeners have the same context, which is evhttp's.
            let context = EvHTTP.servers.withLock { $0[UInt(bitPattern: http)] }
            let server = unsafe EvHTTP.server(UnsafeMutableRawPointer(bitPattern: context ?? 0))
            server?.inside { server?.couldNotAccept(code) }
        }
        return unsafe ListenerHandle(listener: listener, bound: bound)
    }

    /// Closes a listener.
    func close(_ listener: ListenerHandle) {
        unsafe evhttp_del_accept_socket(http, listener.bound)
    }

    private static let servers = Mutex<[UInt: UInt]>([:])

    private static func server(_ context: UnsafeMutableRawPointer?) -> WebServer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
    }
}

/// A listener, which its ``EvHTTP`` owns.
@safe struct ListenerHandle {
    fileprivate let listener: OpaquePointer
    fileprivate let bound: OpaquePointer

    func accept(_ isWanted: Bool) {
        _ =
            unsafe isWanted
            ? evconnlistener_enable(listener) : evconnlistener_disable(listener)
    }
}
