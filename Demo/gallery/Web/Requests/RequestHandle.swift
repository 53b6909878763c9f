internal import CGallery
internal import Glibc

/// A reference to a request in evhttp, which is answered once.
///
/// Evhttp owns it, unless the connection ended during a stream: then this process must free it.
@safe struct RequestHandle {
    private let request: UnsafeMutablePointer<evhttp_request>

    init(_ request: UnsafeMutablePointer<evhttp_request>) {
        unsafe self.request = unsafe request
    }

    /// The identity of the connection; nil after its end.
    var connectionID: UInt? {
        guard let connection = unsafe evhttp_request_get_connection(request),
            let buffer = unsafe evhttp_connection_get_bufferevent(connection)
        else { return nil }
        return UInt(bitPattern: buffer)
    }

    /// Whether evhttp has released it.
    var isAbandoned: Bool { unsafe evhttp_request_get_connection(request) == nil }

    /// Frees a request that evhttp has released.
    func free() {
        unsafe evhttp_request_free(request)
    }

    // MARK: - Request

    var raw: RawRequest {
        RawRequest(
            method: method,
            version: unsafe (Int(request.pointee.major), Int(request.pointee.minor)),
            target: unsafe Self.bytes(evhttp_request_get_uri(request)), fields: fields)
    }

    private var method: WebMethod? {
        switch unsafe request.pointee.type {
        case EVHTTP_REQ_GET: .get
        case EVHTTP_REQ_HEAD: .head
        case EVHTTP_REQ_POST: .post
        default: nil
        }
    }

    private var fields: [RequestField] {
        var fields: [RequestField] = []
        var next = unsafe request.pointee.input_headers?.pointee.tqh_first
        while let field = unsafe next {
            fields.append(
                RequestField(
                    name: unsafe Self.bytes(field.pointee.key),
                    value: unsafe Self.bytes(field.pointee.value)))
            unsafe next = field.pointee.next.tqe_next
        }
        return fields
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text = unsafe text else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    // MARK: - Reply

    /// Notifies a connection when its reply has been sent.
    func notifySent(to connection: WebConnection) {
        let context = unsafe Unmanaged.passUnretained(connection).toOpaque()
        unsafe evhttp_request_set_on_complete_cb(
            request,
            { _, context in unsafe WebConnection.inside(context) { $1.replySent($0) } }, context)
    }

    /// Sends a reply; whether the connection is kept depends on its headers only.
    func reply(_ status: Int, _ headers: ResponseHeaders, _ body: [UInt8]) {
        prepare(headers)
        let content = unsafe evbuffer_new()
        defer { if let content = unsafe content { unsafe evbuffer_free(content) } }
        unsafe evbuffer_add(content, body, body.count)
        unsafe evhttp_send_reply(request, Int32(status), nil, content)
    }

    /// Begins a reply in parts.
    func begin(_ status: Int, _ headers: ResponseHeaders) {
        prepare(headers)
        unsafe evhttp_send_reply_start(request, Int32(status), nil)
    }

    /// Sends a part, and notifies a connection when everything has been sent.
    func send(_ part: [UInt8], notifySent connection: WebConnection? = nil) {
        let content = unsafe evbuffer_new()
        defer { if let content = unsafe content { unsafe evbuffer_free(content) } }
        unsafe evbuffer_add(content, part, part.count)
        guard let connection else {
            unsafe evhttp_send_reply_chunk(request, content)
            return
        }
        let context = unsafe Unmanaged.passUnretained(connection).toOpaque()
        unsafe evhttp_send_reply_chunk_with_cb(
            request, content,
            { _, context in unsafe WebConnection.inside(context) { $1.partSent($0) } }, context)
    }

    /// Ends a reply in parts.
    func end() {
        unsafe evhttp_send_reply_end(request)
    }

    private func prepare(_ headers: ResponseHeaders) {
        // The client's wish to keep the connection has been considered; evhttp would handle it in
        // its own way.
        for name in ["Connection", "Proxy-Connection"] {
            while unsafe evhttp_remove_header(request.pointee.input_headers, name) == 0 {}
        }
        unsafe request.pointee.flags &= ~EVHTTP_PROXY_REQUEST
        // A reply to an unknown method is sent as an HTTP/1.1 reply to GET: after a CONNECT, evhttp
        // would keep the connection whatever the headers say.
        if method == nil { unsafe request.pointee.type = EVHTTP_REQ_GET }
        if unsafe request.pointee.major != 1 || !(0...1 ~= request.pointee.minor) {
            unsafe request.pointee.major = 1
            unsafe request.pointee.minor = 1
        }
        for (name, value) in headers.fields {
            unsafe evhttp_add_header(request.pointee.output_headers, name, value)
        }
    }
}
