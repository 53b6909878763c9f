internal import LullLibC

/// The limits of transfers, and the servers that are trusted.
public struct HTTPLoaderConfiguration: Sendable {
    /// The proxy through which servers are reached.
    public enum Proxy: Equatable, Sendable {
        /// No proxy.
        case none
        /// The proxy that `http_proxy` and related variables name in the process's environment.
        case environment
        /// The proxy at this URL.
        case url(String)
    }

    /// The servers that are connected to, selected by the IP addresses that name lookups find.
    ///
    /// A program that loads untrusted URLs must use ``publicOnly``. Otherwise it can be made to
    /// fetch what only its own network should reach: a router's pages, or a cloud's credentials at
    /// 169.254.169.254.
    public enum Addresses: Sendable {
        /// Any server.
        case any
        /// The servers whose address ``HTTPAddress/isPublic``.
        case publicOnly
        /// The servers for whose address the closure returns true.
        ///
        /// For example, `.only { $0.isPublic || $0.port == 8080 }`.
        case only(@Sendable (HTTPAddress) -> Bool)
    }

    /// The maximum number of concurrent transfers and connections; further transfers wait.
    ///
    /// A transfer that is cancelled during its name lookup keeps its place until the lookup ends,
    /// for ``connectLimit`` at most: a lookup has a thread, and can't be interrupted.
    public var connections = 6
    /// The maximum number of connections to one server.
    public var connectionsPerHost = 6
    /// The maximum size of a body in bytes, as it's sent and decompressed.
    public var byteLimit = 64 << 20
    /// The maximum time of a transfer from its start, including redirects.
    public var timeLimit: Duration = .seconds(30)
    /// The maximum time to resolve a server's name and connect to it.
    public var connectLimit: Duration = .seconds(10)
    /// The minimum speed in bytes a second; a transfer that is slower for ``lowSpeedTime`` fails.
    public var lowSpeedLimit = 16
    /// The time for which a transfer may be slower than ``lowSpeedLimit``, in whole seconds.
    public var lowSpeedTime: Duration = .seconds(10)
    /// The maximum number of redirects that are followed; none is from HTTPS to HTTP.
    public var redirects = 5
    /// The time for which idle connections are kept once there's no transfer, in whole seconds.
    ///
    /// Then all are closed at once, for which a sleeping loop is woken once. The first HTTPS
    /// transfer afterwards reads the trusted certificates again, on the loop.
    public var keepAlive: Duration = .seconds(15)
    /// The servers that are connected to.
    ///
    /// Each address is checked when a socket is opened for it, after the lookup, so that a name
    /// whose address changes (DNS rebinding) doesn't bypass the check; redirects are checked as
    /// well. A proxy may not be set at the same time, because it resolves names itself.
    public var addresses = Addresses.any
    /// The proxy through which servers are reached; the environment is used only if that is set
    /// here.
    public var proxy = Proxy.none
    /// The PEM file of the trusted certificate authorities; nil for the system's.
    public var certificateAuthorityFile: String?
    /// The value of the `User-Agent` header.
    public var userAgent = "Lull"
    /// The value of the `Accept` header.
    public var accept = "image/webp,image/png,image/jpeg,image/gif,*/*;q=0.5"

    /// Creates a configuration with the default limits.
    public init() {}

    /// The `User-Agent` and `Accept` headers of requests, on which responses may depend.
    var sender: String { String("\(userAgent) \(accept)".filter { !$0.isNewline }) }

    func check() {
        precondition(connections > 0 && connectionsPerHost > 0, "a loader has a connection")
        precondition(byteLimit > 0, "a body may have some bytes")
        precondition(timeLimit > .zero && connectLimit > .zero, "a transfer may take some time")
        precondition(lowSpeedLimit >= 0 && lowSpeedTime >= .zero, "a speed is not negative")
        if case .any = addresses {
        } else {
            precondition(proxy == .none, "addresses behind a proxy can't be checked")
        }
        precondition(redirects >= 0, "a count is not negative")
        precondition(keepAlive >= .zero, "connections aren't kept for less than no time")
    }
}
