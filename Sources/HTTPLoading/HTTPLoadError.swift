internal import CCurl
public import DeferredLoading

/// The error of a transfer.
public enum HTTPLoadError: Error, Equatable, Sendable {
    /// The address isn't one.
    case badURL(String)
    /// The address, or one that it was redirected to, is of a scheme that isn't followed.
    case refusedScheme(String)
    /// The server's address is one that isn't connected to.
    case refusedAddress(String)
    /// The server answered with this status, and asks to be left alone for so long.
    case status(Int, retryAfter: Duration?)
    /// The body has more bytes than it may; as many were found, or promised.
    case tooLarge(found: Int, limit: Int)
    /// It took too long: to connect, in all, or with too little coming.
    case timedOut(after: Duration)
    /// More redirects than are followed.
    case tooManyRedirects(limit: Int)
    /// The server's name, or the proxy's, isn't known.
    case dns(String)
    /// There was no connection, or it broke.
    case connection(String)
    /// The connection ended before the body did.
    case incomplete(received: Int)
    /// The server's answer isn't HTTP.
    case badReply(String)
    /// The server couldn't show who it is, or no secure connection came about.
    case tls(String)
    /// There was no memory.
    case outOfMemory
    /// The loader was closed.
    case closed
    /// The library failed in a way that has no case of its own.
    case library(code: Int, message: String)
}

extension HTTPLoadError: CustomStringConvertible {
    /// The event in words, for a log.
    public var description: String {
        switch self {
        case .badURL(let url): "\(url): not an address"
        case .refusedScheme(let scheme): "\(scheme): not a scheme that is followed"
        case .refusedAddress(let address): "\(address): not an address that is connected to"
        case .status(let status, nil): "status \(status)"
        case .status(let status, let time?): "status \(status), again after \(time)"
        case .tooLarge(let found, let limit): "\(found) bytes, where \(limit) are allowed"
        case .timedOut(let time): "no answer, or no end of it, after \(time)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .dns(let name): "no address for \(name)"
        case .connection(let message): "the connection failed: \(message)"
        case .incomplete(let received): "the connection ended after \(received) bytes of the body"
        case .badReply(let message): "not an answer: \(message)"
        case .tls(let message): "no secure connection: \(message)"
        case .outOfMemory: "out of memory"
        case .closed: "the loader was closed"
        case .library(let code, let message): "libcurl error \(code): \(message)"
        }
    }
}

extension HTTPLoadError: RetryableError {
    /// Whether the same request may do better later.
    ///
    /// A server refuses again, unless it said that it has no time; a certificate doesn't get right by
    /// waiting.
    public var mayPass: Bool {
        switch self {
        case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .timedOut, .dns, .connection, .incomplete, .outOfMemory: true
        case .badURL, .refusedScheme, .refusedAddress, .tooLarge, .tooManyRedirects, .badReply,
            .tls,
            .closed, .library:
            false
        }
    }

    /// Returns when another try is worth it: as the server asks, else as the loader's backoff says.
    ///
    /// A server is left alone for a second at least and an hour at most, and asked five times in all.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        guard mayPass else { return .never }
        guard case .status(_, let time?) = self else { return .later }
        return failures < 5 ? .after(min(max(time, .seconds(1)), .seconds(3600))) : .never
    }
}

extension HTTPLoadError {
    /// The meaning of libcurl's code, where it is the same for every transfer.
    init(_ code: CURLcode, _ text: String, server: String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns(server)
        case CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
            CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE,
            CURLE_ABORTED_BY_CALLBACK:
            self = .connection(text)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
            self = .tls(text)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            self = .badReply(text)
        case CURLE_OUT_OF_MEMORY: self = .outOfMemory
        default: self = .library(code: Int(code.rawValue), message: text)
        }
    }

    /// The meaning of a refusal of the multi handle.
    init(multi code: CURLMcode) {
        self =
            code == CURLM_OUT_OF_MEMORY
            ? .outOfMemory
            : .library(
                code: Int(code.rawValue), message: unsafe String(cString: curl_multi_strerror(code))
            )
    }
}
