internal import Glibc

/// The limits of what the gallery keeps and does at once; those of connections are in `WebLimits`.
public struct GalleryLimits: Sendable {
    /// The most open pages.
    public var clients = 2048
    /// The most of them from one address; a unix socket has none.
    public var clientsPerAddress = 128
    /// The most requests that wait for pictures.
    public var waiting = 256
    /// The most of them from one address.
    public var waitingPerAddress = 32
    /// Rows' pictures that take longer to make are made as large views are: one at a time, or as many as
    /// leave a worker and a processor free.
    public var longPicture = Duration.milliseconds(50)
    /// The number of processors; fewer such pictures are made at once.
    public var processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    /// The cost of one address's requests at once, in about a microsecond of the loop each.
    public var requestBurst = 500_000
    /// Their cost per second.
    public var requestRate = 50_000
    /// The cost of all addresses' requests per second, divided among those that have used some of their
    /// burst.
    public var allRequestsRate = 50_000
    /// The time after which a request beyond that is refused.
    public var refusalDelay: Duration = .seconds(1)
    /// The bytes of files that are read for one page at a time; a single file may have more.
    public var pageBytes = 24 << 20
    /// The expected time of the pictures that one page may ask for at once.
    public var pageWork: Duration = .seconds(4)
    /// The same per second.
    public var pageWorkRate: Duration = .milliseconds(500)
    /// The bytes of pictures in memory.
    public var pictureBytes = 64 << 20
    /// The time for which a picture on a server is shown before the server is asked whether it's still
    /// right.
    public var remoteFreshness: Duration = .seconds(300)
    /// The most pages that are recorded at once.
    public var recordings = 8
    /// The most live views.
    public var views = 8

    /// The defaults.
    public init() {}
}
