/// The reason why the server itself rejects a connection or a request.
public enum WebRefusal: String, Error, CaseIterable, Sendable {
    /// The limit of connections is reached.
    case connections
    /// The limit of connections from that address is reached.
    case connectionsPerAddress
    /// A head with too many lines.
    case lines
    /// A zero byte in the head, at which libevent stops reading a line.
    case zeroByte
    /// A rejection by libevent: a line or header that is invalid or too large, or a body.
    case unreadable
    /// A version other than HTTP 1.0 and 1.1.
    case version
    /// A method other than GET, HEAD and POST.
    case method
    /// A header with an invalid name, or control bytes in its value.
    case header
    /// A Transfer-Encoding with any value; browsers send none.
    case transferEncoding
    /// Two lengths, or one that isn't digits only.
    case length
    /// A body where none is allowed.
    case unexpectedBody
    /// A missing, repeated or invalid Host.
    case host
    /// A Host that isn't a name of this server, such as after DNS rebinding.
    case foreignHost
    /// A POST from a page of another origin.
    case crossSite
    /// An ambiguous path or query.
    case target

    /// The status of the answer.
    var status: Int {
        switch self {
        case .connections, .connectionsPerAddress: 503
        case .version: 505
        case .method: 405
        case .foreignHost: 421
        case .crossSite: 403
        case .lines: 431
        default: 400
        }
    }

    /// The message for people.
    private var summary: String {
        switch self {
        case .connections, .connectionsPerAddress: "there are too many connections"
        case .lines: "there are too many headers"
        case .zeroByte: "there is a zero byte in it"
        case .unreadable: "it can't be read"
        case .version: "it's not of HTTP/1.0 or 1.1"
        case .method: "only GET, HEAD and POST are known"
        case .header: "one of its headers isn't one"
        case .transferEncoding: "a body in chunks isn't taken"
        case .length: "its length isn't one number"
        case .unexpectedBody: "no body belongs to it"
        case .host: "it must name one host"
        case .foreignHost: "this server isn't known by the host's name that it was asked for"
        case .crossSite: "it comes from another site"
        case .target: "its path or query isn't plain"
        }
    }

    var body: [UInt8] { Array((summary + "\n").utf8) }

    /// The headers of the answer.
    static let headers = [
        ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
    ]
}
