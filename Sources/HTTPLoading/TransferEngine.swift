internal import CCurl
internal import IdleLoop

/// libcurl's multi handle, driven by a loop's watches and one timer of it.
///
/// The library says which sockets and which moment it waits for; the loop says when they come. It
/// never calls back into its own calls: what has ended is taken when they have returned.
@safe
final class TransferEngine {
    /// The outcome of readying the library, which happens once a process.
    private static let start: CURLcode = http_library_start()

    private let loop: MainLoop
    /// libcurl's, which has the connections.
    private let multi: UnsafeMutableRawPointer
    private var watches: [Int32: Watch] = [:]
    private var timer: LoopTimer?
    /// Called when the library has done something, outside all calls of it, with what has ended.
    var onProgress: ([(HTTPTransfer, CURLcode)]) -> Void = { _ in }
    /// Called when the loop can't wait for a socket: the library is no good from then on.
    var onBreak: (LoopError) -> Void = { _ in }

    /// An engine without transfers.
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
                .wait(milliseconds: milliseconds)
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

    /// Begins a transfer.
    func add(_ transfer: HTTPTransfer) throws(HTTPLoadError) {
        guard let easy = unsafe transfer.pointer else { return }
        let code = unsafe curl_multi_add_handle(multi, easy)
        guard code == CURLM_OK else { throw HTTPLoadError(multi: code) }
    }

    /// Takes a transfer from the library, whether or not it has ended.
    func remove(_ transfer: HTTPTransfer) {
        guard let easy = unsafe transfer.pointer else { return }
        _ = unsafe curl_multi_remove_handle(multi, easy)
    }

    /// Tells the library that something has come, and takes what has ended with it.
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

    /// Waits for a socket, or no longer; -1 if the loop can't.
    func watch(_ socket: curl_socket_t, for what: Int32) -> Int32 {
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

    /// Waits for a moment, or none if it's negative.
    func wait(milliseconds: Int) -> Int32 {
        timer?.cancel()
        timer = nil
        guard milliseconds >= 0, !loop.isClosed else { return 0 }
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
            self?.timer = nil
            self?.act(-1, 0)
        }
        return 0
    }
}
