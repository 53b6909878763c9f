/// Why a connection or a request is refused by the server itself.
public enum WebRefusal: String, Error, CaseIterable, Sendable {
    /// There are as many connections as there may be.
    case connections
    /// There are as many from that address as there may be.
    case connectionsPerAddress
    /// A head of more lines than there may be.
    case lines
    /// A zero byte in a head, after which libevent reads no further in a line.
    case zeroByte
    /// Libevent has answered by itself: a line or header it can't read, or too large, or a body.
    case unreadable
    /// HTTP of another version than 1.0 and 1.1.
    case version
    /// Another method than GET, HEAD and POST.
    case method
    /// A header whose name isn't a name, or with control bytes in its value.
    case header
    /// A Transfer-Encoding, whatever it says; browsers send none.
    case transferEncoding
    /// Two lengths, or one that isn't digits alone.
    case length
    /// A body where none belongs.
    case unexpectedBody
    /// No Host, several, or one that isn't a name.
    case host
    /// A Host by which this server isn't known, as after a rebinding of names.
    case foreignHost
    /// A POST from a page of another origin.
    case crossSite
    /// A path or query that isn't plain.
    case target

    /// The answer to the client.
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

    /// The text that a person reads.
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

    /// The headers that go with it.
    static let headers = [
        ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
    ]
}
