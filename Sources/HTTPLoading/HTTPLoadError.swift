/// Why a transfer came to nothing.
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
    /// What the server said isn't HTTP.
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
    /// What happened, for a log.
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
