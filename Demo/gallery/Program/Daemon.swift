internal import CGallery
internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryKit
internal import GalleryPictures
internal import GalleryWeb
internal import Glibc
internal import IdleLoop
internal import ImageLoading
internal import IsolatedDecoding
internal import Logging
internal import LoopLogging
internal import LoopSystemd

/// The program: an existing `event_base` with an HTTP server, to which a gallery is added.
///
/// Everything is dispatched by `event_base_dispatch` in ``run()``. Lull's loop adopts the base and
/// makes pictures when it is idle.
final class Daemon {
    private let base: HostBase
    private let loop: MainLoop
    private let gallery: Gallery
    private let server: WebServer
    /// The server of metrics, if they have one of their own.
    private var metricsServer: WebServer?
    private let service: ManagedService
    private let pressure: MemoryPressure
    private let log: Logger
    private let loopLog: LoopLogging
    private var watches: [Watch] = []
    private var isEnding = false

    /// The time for finishing work when the program is asked to end.
    private static let shutdownTime = Duration.seconds(10)
    /// The time for sending the last events.
    private static let drainTime = Duration.milliseconds(200)

    init(_ command: GalleryCommand, log: Logger) throws {
        self.log = log
        Self.prepareProcess()
        var passed = try PassedDescriptors()
        let sockets = passed.take { _ in true }
        base = try HostBase()
        loop = try unsafe MainLoop(adopting: base.pointer)
        let folder = try StartFailure.naming(command.folder) {
            try PictureFolder(command.folder)
        }
        var helper = IsolatedDecoder.Configuration()
        helper.program = "lull-heif-picture-helper"
        var limits = GalleryLimits()
        limits.clients = command.clients
        limits.clientsPerAddress = command.clientsPerAddress
        let gallery = try Gallery(
            of: folder, title: command.title, cache: command.diskCache, on: loop, limits: limits,
            making: command.make,
            decoding: command.decoding == .helper
                ? .helper(IsolatedDecoder(on: loop, configuration: helper)) : .inProcess)
        self.gallery = gallery
        let place = command.metricsPlace
        var webLimits = WebLimits()
        webLimits.connections = command.connections
        webLimits.connectionsPerAddress = command.connectionsPerAddress
        server = try unsafe WebServer(on: base.pointer, limits: webLimits, hosts: command.hosts) {
            gallery.answer($0, showsMetrics: place == .same)
        }
        server.basePath = command.basePath
        service = try ManagedService(on: loop, unsetsEnvironment: true)
        pressure = MemoryPressure(on: loop) { gallery.trim() }
        pressure.isNeeded = true
        loopLog = LoopLogging(of: loop, to: log)
        gallery.webStatistics = { [unowned server] in server.statistics }
        logIssues()
        try watchSignals()
        try listen(command.listen + sockets.map { .descriptor($0.number) })
        if case .at(let address) = place { try showMetrics(on: address, command.hosts) }
    }

    /// Serves until it is asked to end.
    ///
    /// - Throws: An error if the base can't continue, so that a service manager restarts the
    ///   program.
    func run() throws {
        try service.ready("serving")
        let status = unsafe event_base_dispatch(base.pointer)
        for watch in watches { watch.cancel() }
        server.close()
        metricsServer?.close()
        gallery.close()
        loop.close()
        guard isEnding else { throw HostBase.Failure(status: status) }
        log.notice("ended")
    }

    private func listen(_ addresses: [WebAddress]) throws {
        let version = unsafe String(cString: event_get_version())
        for address in addresses.isEmpty ? [.tcp(host: "127.0.0.1", port: 8080)] : addresses {
            let bound = try StartFailure.naming("\(address)") { try server.listen(on: address) }
            log.notice(
                "listening",
                metadata: [
                    "address": "\(bound)", "libevent": "\(version)",
                    "lull.build": "\(LullBuild.description)",
                ])
        }
    }

    private func showMetrics(on address: WebAddress, _ hosts: [String]) throws {
        let server = try unsafe WebServer(on: base.pointer, hosts: hosts) { [gallery] in
            gallery.answer($0, showsMetrics: true)
        }
        server.onIssue = self.server.onIssue
        metricsServer = server
        let bound = try StartFailure.naming("\(address)") { try server.listen(on: address) }
        log.notice("metrics", metadata: ["at": "\(bound)"])
    }

    // MARK: - Log

    private func logIssues() {
        let log = log
        server.onIssue = { issue in
            var facts: Logger.Metadata = ["trouble": "\(issue.kind)", "times": "\(issue.count)"]
            facts["host"] = issue.host.map { "\($0)" }
            log.warning("web", metadata: facts)
        }
        gallery.catalogue.onIssue = { issue in
            log.warning("catalogue", metadata: ["trouble": "\(issue)"])
        }
        gallery.catalogue.onIssueEnd = { issue in
            log.info("catalogue", metadata: ["ended": "\(issue)"])
        }
        // The pictures are shown nevertheless.
        var damages = IssueLimiter<String>()
        let (catalogue, clock) = (gallery.catalogue, loop.clock)
        gallery.source.onDamaged = { key, error in
            let text = "a picture is damaged"
            guard let count = damages.report(text, at: clock.now - .zero) else { return }
            let path = catalogue.entry(of: key.picture.id)?.path.text ?? error.file
            log.info(
                "\(text)",
                metadata: ["file": "\(path)", "error": "\(error.reason)", "times": "\(count)"])
        }
        gallery.source.onDiskCacheFailure = { failure in
            let reason = StartFailure.reason(of: failure.error)
            log.warning(
                "thumbnails can't be kept",
                metadata: ["folder": "\(failure.folder)", "error": "\(reason)"])
        }
        gallery.source.onDiskCacheFailureEnd = { failure in
            log.info("thumbnails are kept again", metadata: ["folder": "\(failure.folder)"])
        }
        service.onFailure = { error in
            log.warning("service manager", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Signals

    private func watchSignals() throws {
        for number in [SIGTERM, SIGINT] {
            watches.append(try loop.watch(signal: number) { [unowned self] in end() })
        }
        watches.append(
            try loop.watch(signal: SIGHUP) { [unowned self] in
                try? service.reload { reload() }
            })
    }

    /// Lists all folders.
    private func reload() {
        log.notice("listing all folders anew")
        gallery.catalogue.rescan()
    }

    /// Stops accepting requests, finishes waiting ones while there is time, and ends.
    private func end() {
        if isEnding { return stop() }  // the second request ends at once
        isEnding = true
        try? service.stopping()
        server.stopListening()
        metricsServer?.stopListening()
        gallery.announceEnd()
        loop.shutDown(within: Self.shutdownTime) { [unowned self] reports in
            for report in reports {
                log.notice(
                    "shut down",
                    metadata: [
                        "queue": "\(report.queue)", "finished": "\(report.finished.count)",
                        "returned": "\(report.returned.count)",
                    ])
            }
            gallery.refuseWaiting()
            loop.schedule(after: Self.drainTime) { [unowned self] in stop() }
        }
    }

    private func stop() {
        unsafe event_base_loopbreak(base.pointer)
    }

    // MARK: - Process

    private static func prepareProcess() {
        // Exceeding a file's size limit, or writing to a client that has left, must be an error,
        // not the end.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        // The memory of large pictures is returned to the system at once. That of small ones is used
        // again: new pages for each picture would take some per cent of its time.
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        // The limit of descriptors is raised to its maximum.
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, 1 << 16)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
