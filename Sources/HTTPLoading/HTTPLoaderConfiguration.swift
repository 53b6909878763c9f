/// The limits of transfers, and whom they trust.
public struct HTTPLoaderConfiguration: Sendable {
    /// The way to servers.
    public enum Proxy: Equatable, Sendable {
        /// Straight to each.
        case none
        /// The one that `http_proxy` and its like name in the process's environment.
        case environment
        /// Through the proxy at this address.
        case url(String)
    }

    /// The servers that are connected to, by the addresses that look-ups find.
    ///
    /// A program that loads what strangers name uses ``publicOnly``, or it reaches for them what only
    /// its own network should: a router's pages, or a cloud's credentials at 169.254.169.254.
    public enum Addresses: Sendable {
        /// Any server.
        case any
        /// Those whose address ``HTTPAddress/isPublic``.
        case publicOnly
        /// Those of whose address the closure says so: `.only { $0.isPublic || $0.port == 8080 }`.
        case only(@Sendable (HTTPAddress) -> Bool)
    }

    /// The most transfers, and connections, at once; more wait for their turn.
    ///
    /// A transfer that is cancelled while its server's name is being looked up keeps its place until that
    /// ends, for ``connectLimit`` at most: a look-up has a thread, and can't be interrupted.
    public var connections = 6
    /// The most of them with one server.
    public var connectionsPerHost = 6
    /// The most bytes of a body.
    public var byteLimit = 64 << 20
    /// The longest time of a transfer from its turn on, redirects and all.
    public var timeLimit: Duration = .seconds(30)
    /// The longest time to find and reach a server.
    public var connectLimit: Duration = .seconds(10)
    /// A transfer that is slower than this, in bytes a second, for ``longestLull`` has failed.
    public var leastSpeed = 16
    /// The time for which a transfer may be slower than ``leastSpeed``, in whole seconds.
    public var longestLull: Duration = .seconds(10)
    /// The most redirects that are followed.
    public var redirects = 5
    /// Whether a redirect may lead from HTTPS to HTTP.
    public var allowsDowngrade = false
    /// The time that connections are kept once there's no transfer, in whole seconds.
    ///
    /// They're all closed at that moment, for which a sleeping loop is woken once. The first HTTPS transfer
    /// afterwards reads the trusted certificates anew, on the loop.
    public var keepAlive: Duration = .seconds(15)
    /// The servers that are connected to.
    ///
    /// Each address is checked when a socket is opened for it, after the look-up, so a name that
    /// changes what it stands for doesn't help; redirects are checked as all others. A proxy, which
    /// looks names up itself, may not be set then.
    public var addresses = Addresses.any
    /// The way to servers; the environment isn't asked unless that is said here.
    public var proxy = Proxy.none
    /// The file of certificates, as PEM, of those who may vouch for servers; nil for the system's.
    public var authorities: String?
    /// The name that the loader gives itself.
    public var userAgent = "Lull"
    /// The types that are welcome.
    public var accept = "image/webp,image/png,image/jpeg,image/gif,*/*;q=0.5"

    /// The defaults.
    public init() {}

    /// The sender's description in requests, on which responses may depend.
    var sender: String { String("\(userAgent) \(accept)".filter { !$0.isNewline }) }

    func check() {
        precondition(connections > 0 && connectionsPerHost > 0, "a loader has a connection")
        precondition(byteLimit > 0, "a body may have some bytes")
        precondition(timeLimit > .zero && connectLimit > .zero, "a transfer may take some time")
        precondition(leastSpeed >= 0 && longestLull >= .zero, "a speed is not negative")
        if case .any = addresses {
        } else {
            precondition(proxy == .none, "addresses behind a proxy can't be checked")
        }
        precondition(redirects >= 0, "a count is not negative")
        precondition(keepAlive >= .zero, "connections aren't kept for less than no time")
    }
}
