internal import CCurl
public import IdleLoop

/// One request of an ``HTTPLoader``, from its turn to its end.
///
/// The loader keeps it until then, so it may be dropped when it's never to be cancelled.
public final class HTTPTransfer: PendingOperation {
    /// Where it is.
    enum Place {
        /// In the loader's line.
        case waiting
        /// With the library.
        case running
        /// It has ended, or was taken back.
        case nowhere
    }

    /// What was asked.
    public let request: HTTPLoadRequest

    let origin: URLOrigin?
    var place = Place.waiting
    private weak var loader: HTTPLoader?
    private var completion: ((Result<HTTPLoadResponse, HTTPLoadError>) -> Void)?
    private var easy: EasyHandle?
    private var answer: Answer

    init(
        _ request: HTTPLoadRequest, _ origin: URLOrigin?, of loader: HTTPLoader, byteLimit: Int,
        completion: @escaping (Result<HTTPLoadResponse, HTTPLoadError>) -> Void
    ) {
        self.request = request
        self.origin = origin
        self.loader = loader
        answer = Answer(byteLimit: byteLimit)
        self.completion = completion
    }

    /// How many bytes of the body have come.
    public var received: Int { answer.bytes.count }

    /// How much of the body has come, from 0 to 1; nil before the server has said how long it is.
    public var share: Double? { answer.share }

    /// Ends it, at once and for good; its completion isn't called.
    ///
    /// Its connection is closed if the server was still to say something. A second call does nothing,
    /// nor does one when it has ended.
    public func cancel() {
        guard completion.take() != nil else { return }
        loader?.takeBack(self)
    }

    // MARK: - For the loader

    /// Makes what the library needs to know of it.
    func prepare(_ origin: URLOrigin, _ configuration: HTTPLoaderConfiguration)
        throws(HTTPLoadError)
    {
        var easy = try EasyHandle()
        try easy.ask(request, origin, configuration, for: self)
        self.easy = consume easy
    }

    /// Its name with the library.
    var pointer: UnsafeMutableRawPointer? { unsafe easy?.pointer }

    /// Lets go of what the library had of it.
    func release() {
        easy = nil
        place = .nowhere
    }

    /// Whether somebody still waits for it.
    var isAwaited: Bool { completion != nil }

    /// Tells who has asked, once.
    func tell(_ result: Result<HTTPLoadResponse, HTTPLoadError>) {
        completion.take()?(result)
    }

    /// What it has come to, when the library has ended it with this code.
    func result(_ code: CURLcode, _ configuration: HTTPLoaderConfiguration) -> Result<
        HTTPLoadResponse, HTTPLoadError
    > {
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
        let status = unsafe Int(facts.status)
        guard head.isSuccess || status == 304 && request.known != nil else {
            let wait = unsafe facts.retry_after
            return .failure(.status(status, retryAfter: wait > 0 ? .seconds(wait) : nil))
        }
        let version = head.version == HTTPLoadResponse.Version() ? nil : head.version
        return .success(
            HTTPLoadResponse(
                bytes: answer.bytes, status: status, contentType: head.contentType,
                version: version,
                url: unsafe facts.url.map { unsafe String(cString: $0) } ?? request.url))
    }

    private func error(
        _ code: CURLcode, _ text: String, after time: Duration,
        _ configuration: HTTPLoaderConfiguration
    ) -> HTTPLoadError {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL where answer.head.isRedirect: .refusedScheme(refusedScheme)
        case CURLE_UNSUPPORTED_PROTOCOL: .badReply(text)  // HTTP/0.9, that is: anything
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

    // MARK: - What the library brings

    static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
        guard let context = unsafe context else { preconditionFailure("a transfer has its name") }
        return unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Takes a line of a head; anything but `count` ends the transfer.
    func takeHeader(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        return answer.add(line: line) ? count : -1
    }

    /// Takes some of a body; anything but `count` ends the transfer.
    func takeBody(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        unsafe answer.add(UnsafeRawBufferPointer(start: start, count: count)) ? count : -1
    }
}
