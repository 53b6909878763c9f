internal import Glibc

/// The limits of the gallery's memory and concurrent work; those of connections are in `WebLimits`.
public struct GalleryLimits: Sendable {
    /// The maximum number of open pages.
    public var clients = 2048
    /// The greatest number of pages that may be set.
    public static let mostClients = 1_000_000
    /// The maximum number of pages from one address; a unix socket has no addresses.
    public var clientsPerAddress = 128
    /// The maximum number of arrangements in lines that pages from one address have at a time; a unix
    /// socket has no addresses.
    public var arrangementsPerAddress = 8
    /// The maximum number of requests that wait for pictures.
    public var waiting = 256
    /// The maximum number of waiting requests from one address.
    public var waitingPerAddress = 32
    /// The time above which a row's picture counts as long.
    ///
    /// Such pictures are made like large views: one at a time, or as many as leave a worker and a
    /// processor free.
    public var longPicture = Duration.milliseconds(50)
    /// The number of processors; fewer long pictures are made at once.
    public var processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    /// The burst of one address's requests, in units of about a microsecond of the loop.
    public var requestBurst = 500_000
    /// The rate of one address's requests, in the same units per second.
    public var requestRate = 50_000
    /// The rate of all addresses' requests, divided among those that have used some of their burst.
    public var allRequestsRate = 50_000
    /// The delay after which a request that exceeds its budget is refused.
    public var refusalDelay: Duration = .seconds(1)
    /// The number of bytes of files that are read for one page at a time; a single file may be
    /// larger.
    public var pageBytes = 12 << 20
    /// The expected time of the pictures that one page may request at once.
    public var pageWork: Duration = .seconds(10)
    /// The expected time of the pictures that one page may request per second.
    public var pageWorkRate: Duration = .seconds(1)
    /// The number of bytes of pictures in memory, with any number of pages.
    public var pictureBytes = 64 << 20
    /// The number of those bytes with few pages: some fifty windows of one page.
    public var fewPictureBytes = 28 << 20
    /// The number of those bytes for each page, if they are more.
    public var pictureBytesPerPage = 4 << 20
    /// The maximum number of files that are downloaded at once.
    public var downloads = 16
    /// The maximum number of files that are downloaded at once from one address.
    public var downloadsPerAddress = 4

    /// Creates the default limits.
    public init() {}

    /// Returns the number of bytes of pictures in memory with a number of pages.
    func pictureBytes(forPages count: Int) -> Int {
        min(pictureBytes, max(fewPictureBytes, count * pictureBytesPerPage))
    }
}
