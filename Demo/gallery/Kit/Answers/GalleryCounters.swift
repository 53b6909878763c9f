internal import CoreMetrics
internal import DeferredLoading
internal import GalleryCatalogue
public import GalleryMetrics
internal import GalleryPictures
public import IdleLoop
internal import ImageLoading
internal import LoopMetrics
internal import ScrollModel

/// The metrics of a gallery, and of its loop and queues.
///
/// ```swift
/// gallery.counters = GalleryCounters(PrometheusMetrics(…), of: loop)
/// ```
public final class GalleryCounters {
    let metrics: PrometheusMetrics
    private let loopMetrics: LoopMetrics
    private let requests: [CoreMetrics.Timer]
    private let made: Counter
    private var lastMade = 0
    private let wasted: Gauge
    private let cacheFailures: Counter
    private var lastCacheFailures = 0
    private let levels: [(gauge: Gauge, value: (Gallery) -> Double)]

    /// The help texts of metrics, by their labels.
    public static let help = [
        "gallery_request": "How long requests took, from their end to their answer.",
        "gallery_pictures_made": "Pictures made, or found where they are kept.",
        "gallery_pictures_wasted_share": "The share of them that nobody has fetched.",
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
        wasted = Gauge(label: "gallery_pictures_wasted_share", factory: metrics)
        cacheFailures = Counter(label: "gallery_cache_failures", factory: metrics)
        func gauge(_ label: String) -> Gauge { Gauge(label: label, factory: metrics) }
        levels = [
            (gauge("gallery_clients"), { Double($0.clients.count) }),
            (gauge("gallery_rows"), { Double($0.catalogue.layout.rowCount) }),
            (
                gauge("gallery_folders_unreadable"),
                { Double($0.catalogue.statistics.unreadableFolders) }
            ),
            (gauge("gallery_kept_bytes"), { Double($0.loader.bytes) }),
            (gauge("gallery_requests_waiting"), { Double($0.answers.count) }),
            (gauge("gallery_list_version"), { Double($0.catalogue.version) }),
        ]
    }

    /// Records a request that was answered with this status after this time.
    public func noteRequest(status: Int, took: Duration) {
        guard (100..<600).contains(status) else { return }
        requests[status / 100 - 1].recordNanoseconds(Int64(took / .nanoseconds(1)))
    }

    /// Updates all metrics.
    func update(from gallery: Gallery) {
        loopMetrics.report()
        for level in levels { level.gauge.record(level.value(gallery)) }
        let pictures = gallery.unused
        made.increment(by: pictures.made - lastMade)
        lastMade = pictures.made
        let failures = gallery.source.recipe.cache?.failures ?? 0
        cacheFailures.increment(by: failures - lastCacheFailures)
        lastCacheFailures = failures
        wasted.record(pictures.made > 0 ? Double(pictures.unfetched) / Double(pictures.made) : 0)
    }
}
