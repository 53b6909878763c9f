internal import Glibc

/// What the gallery keeps and does at once; what a server bounds by connections is in `WebLimits`.
public struct GalleryLimits: Sendable {
    /// How many pages may be looked at.
    public var clients = 2048
    /// How many of them from one address; a unix socket has none.
    public var clientsPerAddress = 128
    /// How many requests may wait for pictures.
    public var waiting = 256
    /// How many of them from one address.
    public var waitingPerAddress = 32
    /// Rows' pictures that take longer to make are made as large views are: one at a time, or as many as
    /// leave a worker and a processor free.
    public var longPicture = Duration.milliseconds(50)
    /// The number of processors; fewer such pictures are made at once.
    public var processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    /// What the requests of one address may cost at once, in about a microsecond of the loop each.
    public var requestBurst = 500_000
    /// What they may cost a second.
    public var requestRate = 50_000
    /// The cost of all addresses' requests per second, divided among those that have used some of their
    /// burst.
    public var allRequestsRate = 50_000
    /// How long whoever asks for more waits for being told so.
    public var refusalDelay: Duration = .seconds(1)
    /// The bytes of files that are read for one page at a time; a single file may have more.
    public var pageBytes = 24 << 20
    /// The expected time of the pictures that one page may ask for at once.
    public var pageWork: Duration = .seconds(4)
    /// The same per second.
    public var pageWorkRate: Duration = .milliseconds(500)
    /// How many bytes of pictures are kept in memory.
    public var pictureBytes = 64 << 20
    /// How many pages may be recorded at once.
    public var recordings = 8
    /// How many live views may be looked at.
    public var views = 8

    /// The defaults.
    public init() {}
}
