internal import CLullCurl
public import DeferredLoading

/// The error of a transfer.
public enum HTTPLoadError: Error, Equatable, Sendable {
    /// The URL is malformed.
    case badURL(String)
    /// The URL, or one that it was redirected to, has a scheme that isn't followed.
    case refusedScheme(String)
    /// The server's IP address is one that isn't connected to.
    case refusedAddress(String)
    /// The server responded with this status, and asks not to be contacted for this time.
    case status(Int, retryAfter: Duration?)
    /// The body exceeds the limit, by the bytes that were received and decompressed, or announced.
    case tooLarge(found: Int, limit: Int)
    /// The transfer took too long: to connect, in total, or at too low a speed.
    case timedOut(after: Duration)
    /// The response had more redirects than are followed.
    case tooManyRedirects(limit: Int)
    /// The name of the server, or of the proxy, couldn't be resolved.
    case dns(String)
    /// The connection failed, or was lost.
    case connection(String)
    /// The connection ended before the body did.
    case incomplete(received: Int)
    /// The server's response isn't valid HTTP.
    case badReply(String)
    /// The body has a coding that can't be undone, by the header that names it.
    case unsupportedCoding(String)
    /// The server's certificate couldn't be verified, or no secure connection could be established.
    case tls(String)
    /// The system is out of memory.
    case outOfMemory
    /// The transfer was cancelled.
    case cancelled
    /// The loader was closed.
    case closed
    /// An error of libcurl that has no case of its own.
    case library(code: Int, message: String)
}

extension HTTPLoadError: CustomStringConvertible {
    /// The error in words, for a log.
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
        case .unsupportedCoding(let coding): "\(coding): not a coding that is decoded"
        case .tls(let message): "no secure connection: \(message)"
        case .outOfMemory: "out of memory"
        case .cancelled: "the transfer was cancelled"
        case .closed: "the loader was closed"
        case .library(let code, let message): "libcurl error \(code): \(message)"
        }
    }
}

extension HTTPLoadError: RetryableError {
    /// Whether the same request may succeed later.
    ///
    /// A refusal by the server is permanent unless its status is a transient one, and a certificate
    /// doesn't become valid by waiting.
    public var isTransient: Bool {
        switch self {
        case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .timedOut, .dns, .connection, .incomplete, .outOfMemory: true
        case .badURL, .refusedScheme, .refusedAddress, .tooLarge, .tooManyRedirects, .badReply,
            .unsupportedCoding, .tls, .cancelled, .closed, .library:
            false
        }
    }

    /// Returns when to retry: as the server asks, otherwise by the loader's backoff.
    ///
    /// The delay that a server asks for is limited to at least a second and at most an hour, and
    /// the request is sent at most five times.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        guard isTransient else { return .never }
        guard case .status(_, let time?) = self else { return .later }
        return failures < 5 ? .after(min(max(time, .seconds(1)), .seconds(3600))) : .never
    }
}

extension HTTPLoadError {
    /// Creates the error for a code of libcurl, where that is the same for every transfer.
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

    /// Creates the error for a code of the multi handle.
    init(multi code: CURLMcode) {
        self =
            code == CURLM_OUT_OF_MEMORY
            ? .outOfMemory
            : .library(
                code: Int(code.rawValue), message: unsafe String(cString: curl_multi_strerror(code))
            )
    }
}
