internal import CLullCurl
internal import IdleLoop

/// A transfer handle of libcurl, with all the memory that must outlive it.
@safe
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>

    /// Creates a handle without a request.
    init() throws(HTTPLoadError) {
        guard let pointer = unsafe curl_easy_init() else { throw .outOfMemory }
        unsafe self.pointer = pointer
        unsafe headers = nil
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headers)
        unsafe message.deallocate()
    }

    /// Sets the request, and the transfer whose callbacks are called, which must outlive this
    /// handle.
    mutating func ask(
        _ request: HTTPLoadRequest, _ origin: URLOrigin, _ configuration: HTTPLoaderConfiguration,
        for transfer: HTTPTransfer
    ) throws(HTTPLoadError) {
        for line in request.lines(accept: configuration.accept) {
            guard let longer = unsafe curl_slist_append(headers, line) else { throw .outOfMemory }
            unsafe headers = longer
        }
        var options = unsafe http_request()
        unsafe options.headers = headers
        unsafe options.is_secure = origin.scheme == "https"
        unsafe options.redirects = configuration.redirects
        unsafe options.time_limit_ms = configuration.timeLimit.wholeMilliseconds
        unsafe options.connect_limit_ms = configuration.connectLimit.wholeMilliseconds
        unsafe options.least_bytes_per_second = configuration.lowSpeedLimit
        unsafe options.least_speed_seconds = configuration.lowSpeedTime.wholeSeconds
        unsafe options.idle_seconds = configuration.keepAlive.wholeSeconds
        unsafe options.context = Unmanaged.passUnretained(transfer).toOpaque()
        unsafe options.on_header = { bytes, size, count, context in
            unsafe HTTPTransfer.of(context).takeHeader(bytes, size * count)
        }
        unsafe options.on_body = { bytes, size, count, context in
            unsafe HTTPTransfer.of(context).takeBody(bytes, size * count)
        }
        unsafe options.on_lookup = { _, _, context in
            unsafe HTTPTransfer.of(context).isLookingUp = true
            return 0
        }
        unsafe options.on_socket = { context, _, place in
            unsafe HTTPTransfer.of(context).openSocket(for: place)
        }
        unsafe options.message = message
        let code = unsafe http_prepare(
            pointer, &options, request.url, configuration.userAgent,
            origin.scheme == "http" ? "http,https" : "https", configuration.proxy.address,
            configuration.certificateAuthorityFile)
        guard code == CURLE_OK else {
            throw .library(code: Int(code.rawValue), message: text(of: code))
        }
    }

    /// The retry time, the duration and the final URL of a transfer that has ended.
    var facts: http_facts { unsafe http_facts_of(pointer) }

    /// Returns the library's message for an error.
    func text(of code: CURLcode) -> String {
        let text = unsafe String(cString: message)
        return unsafe text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    }
}

extension HTTPLoaderConfiguration.Proxy {
    fileprivate var address: String? {
        switch self {
        case .none: ""
        case .environment: nil
        case .url(let url): url
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, from one to a day: zero would mean no limit.
    fileprivate var wholeMilliseconds: Int {
        let nanoseconds = max(1, min(wholeNanoseconds, 86_400 * 1_000_000_000))
        return Int((nanoseconds + 999_999) / 1_000_000)
    }

    fileprivate var wholeSeconds: Int { (wholeMilliseconds + 999) / 1000 }
}
