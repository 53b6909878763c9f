internal import DeferredLoading
internal import GalleryCatalogue
internal import GalleryPictures
internal import GalleryWeb
internal import IdleLoop
internal import ImageLoading

/// A page of what the loop, its queues, the loader and the web server count, in Prometheus's text
/// format 0.0.4.
///
/// Names that end in `_total` are sums that only increase; all others are levels.
struct MetricsPage {
    /// The HTTP content type of the text.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Creates the page of a gallery, and of the web server in front of it, if there is one.
    init(of gallery: Gallery, _ web: WebStatistics?) {
        let commit = LullBuild.commit.map { ",commit=\"\($0)\"" } ?? ""
        add(
            "lull_build_info", "The release of Lull, as labels.",
            [("version=\"\(LullBuild.version)\"\(commit)", 1)])
        add(of: gallery)
        add(of: gallery.loop)
        if let web { add(of: web) }
    }

    private mutating func add(of gallery: Gallery) {
        let unused = gallery.thumbnails.unused
        let counts: [(name: String, help: String, value: Int)] = [
            (
                "gallery_pictures_made_total", "Pictures made, or found where they are kept.",
                unused.made
            ),
            (
                "gallery_pictures_unfetched", "Those of them that nobody has fetched.",
                unused.unfetched
            ),
            (
                "gallery_pictures_damaged_total",
                "Pictures made although their files are damaged.",
                gallery.source.statistics.damaged
            ),
            (
                "gallery_cache_failures_total", "Attempts to keep a thumbnail that failed.",
                gallery.source.recipe.cache?.failures ?? 0
            ),
            ("gallery_clients", "Pages that are looked at.", gallery.clients.count),
            ("gallery_rows", "Rows of the list.", gallery.catalogue.rowCount),
            ("gallery_kept_bytes", "Bytes of pictures in memory.", gallery.loader.byteCount),
            (
                "gallery_requests_waiting", "Requests that wait for a picture.",
                gallery.requests.count
            ),
            ("gallery_list_version", "How often the list has changed.", gallery.catalogue.version),
        ]
        for (name, help, value) in counts { add(name, help, [("", Double(value))]) }
        add(
            "gallery_work_price", "The seconds in view that a second of work must gain now.",
            [("", gallery.loader.price.secondsInView)])
    }

    private mutating func add(of loop: MainLoop) {
        let name = #"loop="gallery""#
        let counts = loop.statistics
        for (sum, help, count) in [
            ("turns", "Rounds of poll, before idle and sleep.", counts.turns),
            (
                "idle_passes", "Times nothing was ready, and observers were called.",
                counts.idlePasses
            ),
            ("sleeps", "Times the loop slept.", counts.sleeps),
            ("timers_fired", "Timers fired.", counts.timersFired),
        ] { add("lull_loop_\(sum)_total", help, [(name, Double(count))]) }
        add(
            "lull_loop_asleep_seconds_total", "How long the loop slept.",
            [(name, counts.timeAsleep / .seconds(1))])
        let queues = loop.queueStatistics.sorted { $0.key < $1.key }.map { queue, counts in
            (labels: #"\#(name),queue="\#(queue)""#, counts: counts)
        }
        let counted: [(name: String, help: String, value: (QueueStatistics) -> Double)] = [
            ("accepted_total", "Jobs taken in.", { Double($0.accepted) }),
            ("slices_total", "Runs of jobs, each a part of a lull.", { Double($0.slices) }),
            ("overruns_total", "Runs that made a timer late.", { Double($0.overruns) }),
            ("timed_out_total", "Runs of jobs that had waited for long.", { Double($0.timedOut) }),
            ("waiting", "Jobs in the queue now.", { Double($0.waiting) }),
            (
                "wait_longest_seconds", "The longest wait of a job.",
                { $0.longestWait / .seconds(1) }
            ),
            ("run_longest_seconds", "The longest run of a job.", { $0.longestJob / .seconds(1) }),
        ]
        for (count, help, value) in counted {
            add("lull_queue_\(count)", help, queues.map { ($0.labels, value($0.counts)) })
        }
        add(
            "lull_queue_jobs_total", "Jobs that have ended, by how.",
            queues.flatMap { labels, counts in
                [
                    ("done", counts.done), ("skipped", counts.skipped), ("failed", counts.failed),
                    ("cancelled", counts.cancelled), ("dropped", counts.dropped),
                ].map { (#"\#(labels),outcome="\#($0)""#, Double($1)) }
            })
    }

    private mutating func add(of web: WebStatistics) {
        for (name, help, count) in [
            ("connections", "Open connections.", web.connections),
            ("accepted_total", "Accepted connections.", web.accepted),
            ("accept_failures_total", "Connections that couldn't be accepted.", web.acceptFailures),
            ("unread_closed_total", "Clients that didn't read, and were closed.", web.unreadClosed),
            ("unsent_bytes", "Bytes that clients haven't received yet.", web.unsentBytes),
        ] { add("gallery_web_\(name)", help, [("", Double(count))]) }
        add(
            "gallery_web_replies_total", "Replies, by the hundreds of their status.",
            web.replies.sorted { $0.key < $1.key }.map { (#"status="\#($0)xx""#, Double($1)) })
        add(
            "gallery_web_refused_total", "Connections and requests that were refused, by reason.",
            web.refused.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { (#"reason="\#($0.rawValue)""#, Double($1)) })
        add(
            "gallery_web_timed_out_total", "Connections that exceeded a time limit, by its kind.",
            web.timedOut.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { (#"deadline="\#($0.rawValue)""#, Double($1)) })
    }

    /// Adds a family of samples, each with its labels as they are written between braces.
    private mutating func add(
        _ name: String, _ help: String, _ samples: [(labels: String, value: Double)]
    ) {
        let kind = name.hasSuffix("_total") ? "counter" : "gauge"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        for (labels, value) in samples {
            let number = Int(exactly: value).map(String.init) ?? "\(value)"
            text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number)\n"
        }
    }
}
