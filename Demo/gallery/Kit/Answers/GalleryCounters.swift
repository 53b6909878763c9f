internal import CoreMetrics
internal import DeferredLoading
public import GalleryMetrics
public import IdleLoop
internal import LoopMetrics

/// The metrics of a gallery, and of its loop and queues.
///
/// ```swift
/// gallery.counters = GalleryCounters(PrometheusMetrics(…), of: loop)
/// ```
public final class GalleryCounters {
    private let metrics: PrometheusMetrics
    private let loopMetrics: LoopMetrics
    private let requests: [CoreMetrics.Timer]
    private let made: Counter
    private let damaged: Counter
    private let wasted: Gauge
    private let price: Gauge
    private let cacheFailures: Counter
    /// The statistics of the last update.
    private var last = GalleryStatistics()
    private let levels: [(gauge: Gauge, value: KeyPath<GalleryStatistics, Int>)]

    /// The help texts of metrics, by their labels.
    public static let help = [
        "gallery_request": "How long requests took, from their end to their answer.",
        "gallery_pictures_made": "Pictures made, or found where they are kept.",
        "gallery_pictures_damaged": "Pictures made although their files are damaged.",
        "gallery_pictures_wasted_share": "The share of them that nobody has fetched.",
        "gallery_work_price": "The seconds in view that a second of work must gain now.",
        "gallery_cache_failures": "Attempts to keep a thumbnail that failed.",
        "gallery_clients": "Pages that are looked at.",
        "gallery_rows": "Rows of the list.",
        "gallery_folders_unreadable": "Folders that can't be read.",
        "gallery_kept_bytes": "Bytes of pictures in memory.",
        "gallery_requests_waiting": "Requests that wait for a picture.",
        "gallery_list_version": "How often the list has changed.",
    ]

    /// Creates the metrics of a gallery on `loop`, in `metrics`.
    public init(_ metrics: PrometheusMetrics, of loop: MainLoop) {
        self.metrics = metrics
        var configuration = LoopMetrics.Configuration()
        configuration.name = "gallery"
        loopMetrics = LoopMetrics(of: loop, configuration: configuration, factory: metrics)
        requests = (1...5).map {
            CoreMetrics.Timer(
                label: "gallery_request", dimensions: [("status", "\($0)xx")], factory: metrics)
        }
        made = Counter(label: "gallery_pictures_made", factory: metrics)
        damaged = Counter(label: "gallery_pictures_damaged", factory: metrics)
        wasted = Gauge(label: "gallery_pictures_wasted_share", factory: metrics)
        price = Gauge(label: "gallery_work_price", factory: metrics)
        cacheFailures = Counter(label: "gallery_cache_failures", factory: metrics)
        func gauge(_ label: String) -> Gauge { Gauge(label: label, factory: metrics) }
        levels = [
            (gauge("gallery_clients"), \.clients),
            (gauge("gallery_rows"), \.rows),
            (gauge("gallery_folders_unreadable"), \.unreadableFolders),
            (gauge("gallery_kept_bytes"), \.keptBytes),
            (gauge("gallery_requests_waiting"), \.waitingRequests),
            (gauge("gallery_list_version"), \.listVersion),
        ]
    }

    /// Records a request that was answered with this status after this time.
    public func noteRequest(status: Int, took: Duration) {
        guard (100..<600).contains(status) else { return }
        requests[status / 100 - 1].recordNanoseconds(Int64(took / .nanoseconds(1)))
    }

    /// Returns the text of all metrics, updated from these numbers.
    func text(of statistics: GalleryStatistics) -> String {
        loopMetrics.report()
        for level in levels { level.gauge.record(statistics[keyPath: level.value]) }
        made.increment(by: statistics.made - last.made)
        damaged.increment(by: statistics.damaged - last.damaged)
        cacheFailures.increment(by: statistics.cacheFailures - last.cacheFailures)
        last = statistics
        price.record(statistics.price.secondsInView)
        wasted.record(
            statistics.made > 0 ? Double(statistics.unfetched) / Double(statistics.made) : 0)
        return metrics.text()
    }
}

/// The numbers of a gallery that its metrics report.
struct GalleryStatistics {
    var clients = 0
    var rows = 0
    var unreadableFolders = 0
    var keptBytes = 0
    var waitingRequests = 0
    var listVersion = 0
    /// The number of pictures made, and of those that were never fetched.
    var made = 0
    var unfetched = 0
    /// The number of pictures made although their files are damaged.
    var damaged = 0
    /// The price of work now.
    var price = WorkPrice.free
    /// The number of thumbnails that couldn't be cached on disk.
    var cacheFailures = 0
}
