internal import CLullCurl
public import IdleLoop
internal import ImageLoading

/// One request of an ``HTTPLoader``, from its submission to its end.
///
/// The loader keeps it until then, so a transfer that is never cancelled need not be kept.
public final class HTTPTransfer: PendingOperation {
    /// The stages of a transfer.
    enum Stage {
        /// The cache is searched for a stored response.
        case lookingUp
        /// The transfer waits for a connection.
        case waiting
        /// The transfer is running in libcurl.
        case running
        /// The transfer has ended or was cancelled.
        case ended
    }

    /// The callbacks of the caller.
    struct Listener {
        var onHead: ((HTTPLoadResponse) -> Void)?
        let onBytes: (([UInt8]) -> Void)?
        let completion: (Result<HTTPLoadResponse, HTTPLoadError>) -> Void
    }

    /// The cache state of a transfer.
    struct Caching {
        /// The key of the response in the cache.
        let key: String
        /// The stored response that is stale; the server is asked to revalidate it.
        var stored: StoredHead?
        /// The revalidated response, to be delivered if its body is still stored.
        var confirmed: StoredHead?
        /// The time of the request, since 1970.
        var asked = Duration.zero
    }

    /// The request of the transfer.
    public let request: HTTPLoadRequest

    let origin: URLOrigin?
    var stage = Stage.waiting
    /// The cache state; nil if the response is neither looked for in a cache nor stored.
    var caching: Caching?
    var lookup: IdleJob?
    /// Whether a name lookup was begun for the transfer, and no socket opened since.
    var isLookingUp = false
    private weak var loader: HTTPLoader?
    /// The callbacks; nil once the transfer has ended or was cancelled.
    private var listener: Listener?
    private var easy: EasyHandle?
    private var answer: ResponseBody
    private let addresses: HTTPLoaderConfiguration.Addresses
    /// The last address for which a socket was requested, if it's one that isn't connected to.
    private var refusedAddress: HTTPAddress?

    init(
        _ request: HTTPLoadRequest, _ origin: URLOrigin?, of loader: HTTPLoader,
        _ store: ResponseStore?, _ listener: Listener
    ) {
        self.request = request
        self.origin = origin
        self.loader = loader
        self.listener = listener
        addresses = loader.configuration.addresses
        if store != nil, request.headers.isEmpty, request.validators == nil {
            caching = origin?.key.map { Caching(key: $0) }
        }
        answer = ResponseBody(
            to: request, byteLimit: loader.configuration.byteLimit,
            isStreamed: listener.onBytes != nil,
            keptLimit: caching == nil ? 0 : store?.bodyLimit ?? 0,
            decodes: { unsafe http_decodes($0) })
    }

    /// The number of bytes of the body that have arrived, as they are after decompression.
    public var received: Int { answer.received }

    /// The fraction of the body that has arrived, from 0 to 1; nil before the server has announced
    /// its length, and if it's compressed.
    public var share: Double? { answer.share }

    /// Cancels the transfer: its completion is called with ``HTTPLoadError/cancelled`` before this
    /// returns, and none of its callbacks afterwards.
    ///
    /// Its connection is closed if the response was incomplete. Further calls, and calls after the
    /// end, do nothing.
    public func cancel() {
        guard let listener = listener.take() else { return }
        answer.forget()
        loader?.abandon(self)
        listener.completion(.failure(.cancelled))
    }

    // MARK: - Used by the loader

    /// Creates the library's handle for the transfer; `time` is that of the request, if it may be
    /// stored.
    func prepare(
        _ origin: URLOrigin, _ configuration: HTTPLoaderConfiguration, at time: Duration?
    ) throws(HTTPLoadError) {
        var request = request
        request.validators = validators
        caching?.asked = time ?? .zero
        answer = answer.unanswered
        var easy = try EasyHandle()
        try easy.ask(request, origin, configuration, for: self)
        self.easy = consume easy
    }

    /// The library's handle of the transfer.
    var pointer: UnsafeMutableRawPointer? { unsafe easy?.pointer }

    /// Releases the library's handle.
    func release() {
        easy = nil
        stage = .ended
    }

    /// The validators of the request, or those of the stored response.
    private var validators: HTTPLoadResponse.Version? {
        request.validators ?? caching?.stored?.version
    }

    /// The head of the response for its decoded body, which has arrived.
    var decodedHead: ResponseHead { answer.head.decoded(length: received) }

    /// The pieces of the body, if they may be stored.
    var pieces: [[UInt8]]? { answer.pieces }

    /// Whether the caller still waits for the result.
    var isAwaited: Bool { listener != nil }

    /// Delivers what has arrived since the last call.
    func deliverProgress() {
        guard let listener, answer.head.isWhole, answer.isSuccess,
            listener.onHead != nil || listener.onBytes != nil && !answer.bytes.isEmpty
        else { return }
        var response = HTTPLoadResponse(answer.head, url: url)
        if answer.isStreamed { response.bytes = answer.takeBytes() }
        _ = deliver(response)
    }

    /// Delivers a head, once, and bytes, if they are delivered in pieces; returns what remains to
    /// deliver.
    func deliver(_ response: HTTPLoadResponse) -> HTTPLoadResponse {
        var head = response
        let bytes = exchange(&head.bytes, with: [])
        listener?.onHead.take()?(head)
        guard let onBytes = listener?.onBytes else { return response }
        if !bytes.isEmpty { onBytes(bytes) }
        return head
    }

    /// Calls the caller's `completion`, once.
    func tell(_ result: Result<HTTPLoadResponse, HTTPLoadError>) {
        answer.forget()
        listener.take()?.completion(result)
    }

    /// Returns the result of a transfer that the library has ended with this code.
    func result(
        _ code: CURLcode, _ configuration: HTTPLoaderConfiguration
    ) -> Result<HTTPLoadResponse, HTTPLoadError> {
        guard let facts = unsafe easy?.facts, let text = easy?.text(of: code) else {
            return .failure(.outOfMemory)
        }
        if let failure = answer.failure { return .failure(failure) }
        let head = answer.head
        guard code == CURLE_OK else {
            let time = unsafe Duration.microseconds(facts.microseconds)
            return .failure(error(code, text, after: time, configuration))
        }
        guard head.isWhole else { return .failure(.incomplete(received: 0)) }
        guard answer.isSuccess || head.status == 304 && validators != nil else {
            let wait = unsafe facts.retry_after
            return .failure(.status(head.status, retryAfter: wait > 0 ? .seconds(wait) : nil))
        }
        var response = HTTPLoadResponse(head, url: url)
        response.bytes = answer.takeBytes()
        return .success(response)
    }

    /// The URL after redirects.
    private var url: String {
        unsafe easy?.facts.url.map { unsafe String(cString: $0) } ?? request.url
    }

    private func error(
        _ code: CURLcode, _ text: String, after time: Duration,
        _ configuration: HTTPLoaderConfiguration
    ) -> HTTPLoadError {
        if let refusedAddress, code == CURLE_COULDNT_CONNECT {
            return .refusedAddress("\(refusedAddress)")
        }
        return switch code {
        case CURLE_UNSUPPORTED_PROTOCOL where answer.head.isRedirect: .refusedScheme(refusedScheme)
        case CURLE_UNSUPPORTED_PROTOCOL: .badReply(text)  // HTTP/0.9, that is: any bytes
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects(limit: configuration.redirects)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(after: time)
        case CURLE_PARTIAL_FILE: .incomplete(received: received)
        case CURLE_URL_MALFORMAT: .badURL(answer.head.location ?? request.url)
        default: HTTPLoadError(code, text, server: origin?.server ?? request.url)
        }
    }

    private var refusedScheme: String {
        guard let location = answer.head.location, let colon = location.firstIndex(of: ":") else {
            return origin?.scheme ?? request.url
        }
        return location[..<colon].lowercased()
    }

    // MARK: - Callbacks of the library

    static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
        unsafe Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }

    /// Opens a socket for a server, unless its address isn't to be connected to.
    func openSocket(for place: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        isLookingUp = false
        guard let place = unsafe place, isAwaited else { return CURL_SOCKET_BAD }
        let address = unsafe HTTPAddress(place)
        let isAllowed =
            switch addresses {
            case .any: true
            case .publicOnly: address?.isPublic == true
            case .only(let isAllowed): address.map(isAllowed) == true
            }
        refusedAddress = isAllowed ? nil : address
        return isAllowed ? unsafe http_socket(place) : CURL_SOCKET_BAD
    }

    /// Takes a line of a head; a result other than `count` ends the transfer.
    func takeHeader(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        return answer.add(line: line) ? count : -1
    }

    /// Takes bytes of a body; a result other than `count` ends the transfer.
    func takeBody(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        unsafe answer.add(UnsafeRawBufferPointer(start: start, count: count)) ? count : -1
    }
}
