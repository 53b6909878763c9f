internal import CLullCurl
internal import IdleLoop

/// The multi handle of libcurl, driven by watches of a loop and one timer.
///
/// The library says which sockets and which time it waits for, and the loop reports when they are
/// ready or due. The engine never calls back from inside a call of the library: transfers that have
/// ended are collected after it has returned.
@safe
final class TransferEngine {
    /// The result of initializing the library, which is done once per process.
    private static let start: CURLcode = http_library_start()

    private let loop: MainLoop
    /// The multi handle of libcurl, which owns the connections.
    private let multi: UnsafeMutableRawPointer
    private var watches: [Int32: Watch] = [:]
    private var timer: LoopTimer?
    /// A closure that is called after each action of the library, outside its calls, with the ended
    /// transfers.
    var onProgress: ([(HTTPTransfer, CURLcode)]) -> Void = { _ in }
    /// A closure that is called when the loop can't watch a socket; the engine is unusable
    /// afterwards.
    var onBreak: (LoopError) -> Void = { _ in }

    /// Creates an engine without transfers.
    init(on loop: MainLoop, _ configuration: HTTPLoaderConfiguration) throws(HTTPLoadError) {
        guard Self.start == CURLE_OK else {
            throw .library(code: Int(Self.start.rawValue), message: "it can't be readied")
        }
        guard let multi = unsafe curl_multi_init() else { throw .outOfMemory }
        self.loop = loop
        unsafe self.multi = multi
        var listener = unsafe http_listener()
        unsafe listener.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe listener.on_socket = { _, socket, what, context, _ in
            unsafe Unmanaged<TransferEngine>.fromOpaque(context!).takeUnretainedValue()
                .watch(socket, for: what)
        }
        unsafe listener.on_timer = { _, milliseconds, context in
            unsafe Unmanaged<TransferEngine>.fromOpaque(context!).takeUnretainedValue()
                .wait(milliseconds < 0 ? nil : .milliseconds(milliseconds))
        }
        unsafe listener.connections = configuration.connections
        unsafe listener.connections_per_host = configuration.connectionsPerHost
        let code = unsafe http_listen(multi, &listener)
        guard code == CURLM_OK else { throw HTTPLoadError(multi: code) }
    }

    deinit {
        var nobody = unsafe http_listener()
        _ = unsafe http_listen(multi, &nobody)
        for watch in watches.values { watch.cancel() }
        timer?.cancel()
        _ = unsafe curl_multi_cleanup(multi)
    }

    /// Starts a transfer.
    func add(_ transfer: HTTPTransfer) throws(HTTPLoadError) {
        guard let easy = unsafe transfer.pointer else { return }
        let code = unsafe curl_multi_add_handle(multi, easy)
        guard code == CURLM_OK else { throw HTTPLoadError(multi: code) }
    }

    /// Removes a transfer from the library, whether or not it has ended.
    func remove(_ transfer: HTTPTransfer) {
        guard let easy = unsafe transfer.pointer else { return }
        _ = unsafe curl_multi_remove_handle(multi, easy)
    }

    /// Reports a socket's or the timer's event to the library, and collects the transfers that
    /// ended.
    private func act(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, socket, events, &running)
        var ends: [(HTTPTransfer, CURLcode)] = []
        var (context, code) = unsafe (nil as UnsafeMutableRawPointer?, CURLE_OK)
        while unsafe http_next_end(multi, &context, &code) {
            unsafe ends.append((HTTPTransfer.of(context), code))
        }
        onProgress(ends)
    }

    // MARK: - Callbacks of the library

    /// Changes what is watched of a socket, possibly to nothing; returns -1 if the loop can't watch
    /// it.
    private func watch(_ socket: curl_socket_t, for what: Int32) -> Int32 {
        watches.removeValue(forKey: socket)?.cancel()
        var readiness: Watch.Readiness = []
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { readiness.insert(.readable) }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { readiness.insert(.writable) }
        guard !readiness.isEmpty, !loop.isClosed else { return 0 }
        do {
            watches[socket] = try loop.watch(socket, for: readiness) { [weak self] readiness in
                var events: Int32 = 0
                if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
                if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
                self?.act(socket, events)
            }
            return 0
        } catch {
            timer?.cancel()
            timer = loop.schedule(at: loop.clock.now) { [weak self] in self?.onBreak(error) }
            return -1
        }
    }

    /// Sets the timer, or cancels it without a time.
    private func wait(_ time: Duration?) -> Int32 {
        timer.take()?.cancel()
        guard let time, !loop.isClosed else { return 0 }
        timer = loop.schedule(after: time) { [weak self] in
            self?.timer = nil
            self?.act(-1, 0)
        }
        return 0
    }
}
