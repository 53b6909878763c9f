internal import CGallery
internal import Glibc

/// The received bytes and the bytes to send of a connection in libevent (a bufferevent).
///
/// Evhttp owns it; this reference keeps its memory until it is released.
@safe struct BufferHandle {
    private let buffer: OpaquePointer

    /// The identity of a connection.
    let id: UInt

    /// Creates a buffer for evhttp; nil if there is no memory.
    init?(on base: OpaquePointer?) {
        guard let buffer = unsafe bufferevent_socket_new(base, -1, 0) else { return nil }
        unsafe self.init(buffer)
    }

    init(_ buffer: OpaquePointer) {
        unsafe self.buffer = unsafe buffer
        id = UInt(bitPattern: buffer)
    }

    var pointer: OpaquePointer { unsafe buffer }

    /// Reports input and output to a connection, and limits the number of unread bytes.
    func watch(for connection: WebConnection, inputLimit: Int) {
        unsafe bufferevent_incref(buffer)
        unsafe bufferevent_setwatermark(buffer, Int16(EV_READ), 0, inputLimit)
        let context = unsafe Unmanaged.passUnretained(connection).toOpaque()
        unsafe evbuffer_add_cb(input, BufferHandle.inputChanged, context)
        unsafe evbuffer_add_cb(output, BufferHandle.outputChanged, context)
    }

    /// Ends ``watch(for:inputLimit:)``.
    func unwatch(for connection: WebConnection) {
        let context = unsafe Unmanaged.passUnretained(connection).toOpaque()
        unsafe evbuffer_remove_cb(input, BufferHandle.inputChanged, context)
        unsafe evbuffer_remove_cb(output, BufferHandle.outputChanged, context)
        unsafe bufferevent_decref(buffer)
    }

    var descriptor: Int32 { unsafe bufferevent_getfd(buffer) }

    /// Returns the connection that evhttp has created for it; nil before, and after its end.
    ///
    /// Evhttp passes a connection on with its first request only, which may never come. But it is
    /// the context of the buffer's callbacks from the start, and they are removed when the
    /// connection is freed.
    func connection() -> ConnectionHandle? {
        var context: UnsafeMutableRawPointer?
        unsafe bufferevent_getcb(buffer, nil, nil, nil, &context)
        guard let context = unsafe context else { return nil }
        let connection = OpaquePointer(context)
        guard unsafe evhttp_connection_get_bufferevent(connection) == buffer else { return nil }
        return unsafe ConnectionHandle(connection)
    }

    // MARK: - Input

    private var input: OpaquePointer? { unsafe bufferevent_get_input(buffer) }

    var inputLength: Int { unsafe evbuffer_get_length(input) }

    /// Returns the received bytes from a position on.
    func inputBytes(from start: Int) -> [UInt8] {
        let count = inputLength - start
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var place = unsafe evbuffer_ptr()
        unsafe evbuffer_ptr_set(input, &place, start, EVBUFFER_PTR_SET)
        unsafe evbuffer_copyout_from(input, &place, &bytes, count)
        return bytes
    }

    /// Discards the received bytes, so that evhttp doesn't see them.
    func dropInput() {
        unsafe evbuffer_drain(input, inputLength)
    }

    // MARK: - Output

    private var output: OpaquePointer? { unsafe bufferevent_get_output(buffer) }

    var outputLength: Int { unsafe evbuffer_get_length(output) }

    /// Returns the first bytes that wait to be sent.
    func outputStart(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe evbuffer_copyout(output, &bytes, count)
        return Array(bytes.prefix(max(0, got)))
    }

    func appendOutput(_ bytes: [UInt8]) {
        unsafe evbuffer_add(output, bytes, bytes.count)
    }

    /// Sends a few bytes past the buffer, as far as the socket accepts them.
    func sendAtOnce(_ bytes: [UInt8]) {
        _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    // MARK: - Callbacks

    private static let inputChanged: evbuffer_cb_func = { _, change, context in
        guard let added = unsafe change?.pointee.n_added, added > 0 else { return }
        let before = unsafe change?.pointee.orig_size ?? 0
        let dropped = unsafe change?.pointee.n_deleted ?? 0
        unsafe WebConnection.inside(context) { connection, _ in
            connection.inputReceived(from: before - dropped)
        }
    }

    private static let outputChanged: evbuffer_cb_func = { _, _, context in
        unsafe WebConnection.inside(context) { connection, _ in connection.outputChanged() }
    }
}

/// A reference to a connection, which evhttp owns.
@safe struct ConnectionHandle {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) {
        unsafe self.connection = unsafe connection
    }

    /// Reports the end to a connection when evhttp frees it, whoever closed it.
    func notifyEnd(to watcher: WebConnection) {
        let context = unsafe Unmanaged.passUnretained(watcher).toOpaque()
        unsafe evhttp_connection_set_closecb(
            connection,
            { _, context in unsafe WebConnection.inside(context) { $1.ended($0) } }, context)
    }

    /// Closes the connection; not to be called from inside evhttp.
    func free() {
        unsafe evhttp_connection_free(connection)
    }
}

extension WebConnection {
    /// Calls `body` with the connection in a callback's context and its server, during which nothing
    /// that evhttp uses may be freed.
    static func inside(
        _ context: UnsafeMutableRawPointer?, _ body: (WebConnection, WebServer) -> Void
    ) {
        guard let context = unsafe context else { return }
        let connection = unsafe Unmanaged<WebConnection>.fromOpaque(context).takeUnretainedValue()
        guard let server = connection.server else { return }
        server.inside { body(connection, server) }
    }
}
