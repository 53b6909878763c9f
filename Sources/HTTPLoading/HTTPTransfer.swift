internal import CCurl
public import IdleLoop

/// One request of an ``HTTPClient``, from its turn to its end.
///
/// The client keeps it until then, so it may be dropped when it's never to be cancelled.
public final class HTTPTransfer: PendingOperation {
    /// Whether it is asked for by the library's name.
    enum Place {
        /// In the client's line.
        case waiting
        /// With the library.
        case running
        /// It has ended, or was taken back.
        case nowhere
    }

    /// What was asked.
    public let request: HTTPRequest

    let origin: URLOrigin?
    var place = Place.waiting
    private weak var client: HTTPClient?
    private var completion: ((Result<HTTPBody, HTTPError>) -> Void)?
    private var easy: EasyHandle?
    private var head = ResponseHead()
    private var bytes: [UInt8] = []
    private var discarded = 0
    private let byteLimit: Int
    /// What ended it from here, where the library only knows that it was ended.
    private var failure: HTTPError?

    init(
        _ request: HTTPRequest, _ origin: URLOrigin?, of client: HTTPClient, byteLimit: Int,
        completion: @escaping (Result<HTTPBody, HTTPError>) -> Void
    ) {
        self.request = request
        self.origin = origin
        self.client = client
        self.byteLimit = byteLimit
        self.completion = completion
    }

    /// How many bytes of the body have come.
    public var received: Int { bytes.count }

    /// How much of the body has come, from 0 to 1; nil before the server has said how long it is.
    public var share: Double? {
        guard head.isSuccess, let length = head.length, length > 0 else { return nil }
        return min(1, Double(bytes.count) / Double(length))
    }

    /// Ends it, at once and for good; its completion isn't called.
    ///
    /// Its connection is closed if the server was still to say something. A second call does nothing,
    /// nor does one when it has ended.
    public func cancel() {
        guard completion.take() != nil else { return }
        client?.takeBack(self)
    }

    // MARK: - For the client

    /// Makes what the library needs to know of it.
    func prepare(_ origin: URLOrigin, _ configuration: HTTPConfiguration) throws(HTTPError) {
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
    func tell(_ result: Result<HTTPBody, HTTPError>) {
        completion.take()?(result)
    }

    /// What it has come to, when the library has ended it with this code.
    func result(_ code: CURLcode, _ configuration: HTTPConfiguration) -> Result<HTTPBody, HTTPError>
    {
        guard let facts = unsafe easy?.facts, let text = easy?.text(of: code) else {
            return .failure(.outOfMemory)
        }
        if let failure { return .failure(failure) }
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
        let version = head.version == HTTPBody.Version() ? nil : head.version
        return .success(
            HTTPBody(
                bytes: bytes, status: status, contentType: head.contentType, version: version,
                url: unsafe facts.url.map { unsafe String(cString: $0) } ?? request.url))
    }

    private func error(
        _ code: CURLcode, _ text: String, after time: Duration, _ configuration: HTTPConfiguration
    ) -> HTTPError {
        switch code {
        case CURLE_UNSUPPORTED_PROTOCOL where head.isRedirect: .refusedScheme(refusedScheme)
        case CURLE_UNSUPPORTED_PROTOCOL: .badReply(text)  // HTTP/0.9, that is: anything
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects(limit: configuration.redirects)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(after: time)
        case CURLE_PARTIAL_FILE: .incomplete(received: bytes.count)
        case CURLE_URL_MALFORMAT: .badURL(head.location ?? request.url)
        default: HTTPError(code, text, server: origin?.server ?? request.url)
        }
    }

    private var refusedScheme: String {
        guard let location = head.location, let colon = location.firstIndex(of: ":") else {
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
        head.add(line)
        if head.isTooLarge { return end(.badReply("its head has no end")) }
        if head.isWhole, !head.isRedirect, head.isSuccess, let length = head.length {
            if length > byteLimit { return end(.tooLarge(found: length, limit: byteLimit)) }
            bytes.reserveCapacity(min(length, 1 << 18))  // it may lie
        }
        return count
    }

    /// Takes some of a body; anything but `count` ends the transfer.
    func takeBody(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard head.isSuccess else {
            // What an error has to say is passed over, so that its connection can be used again.
            discarded += count
            let status = head.status
            return discarded <= 1 << 16 ? count : end(.status(status, retryAfter: nil))
        }
        guard bytes.count + count <= byteLimit else {
            return end(.tooLarge(found: bytes.count + count, limit: byteLimit))
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        return count
    }

    private func end(_ error: HTTPError) -> Int {
        failure = error
        return -1
    }
}
