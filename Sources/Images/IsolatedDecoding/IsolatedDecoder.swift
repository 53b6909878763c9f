internal import LullLibC
public import IdleLoop
public import ImageLoading

/// A decoder of untrusted pictures, which runs in sandboxed helper processes.
///
/// A helper process (`lull-picture-helper`) receives a file descriptor and returns pixels. It can open
/// no file, start no program, and reach no network, and its memory and time are limited; its
/// replies are validated. If a helper dies or hangs, one row gets no picture, and another helper
/// takes its place.
///
/// ```swift
/// let decoder = IsolatedDecoder(on: loop)
/// let targetSize = PixelSize(width: 256, height: 256)
/// decoder.decode(.file("a.jpg"), named: "a.jpg", fitting: targetSize) { result in
///     if case .success(let picture) = result { show(picture) }
/// }
/// ```
///
/// The decoder is confined to a loop's thread, as the loop is. The first picture starts a helper,
/// which takes about ten milliseconds outside this process; each picture then costs up to half a
/// millisecond more than in this process. An idle helper is killed after a while. Until then, an
/// idle loop wakes a few times more, to check that the helper is idle, and an adopted loop's host
/// doesn't run out of events. The helpers end with the decoder, with the loop, and with the thread.
///
/// A forked child must create a decoder of its own, and must not use its parent's.
public final class IsolatedDecoder {
    /// The limits of the helpers.
    public let configuration: Configuration
    /// The counts of pictures and helpers so far.
    public private(set) var statistics = Statistics()
    /// Whether the decoder was closed, and decodes no more pictures.
    public private(set) var isClosed = false

    private let loop: MainLoop
    private var kept: [WeakHelper] = []
    private var waiting: [Request] = []
    private var backoff = StartBackoff()

    /// A weak reference to a helper, which the loop retains.
    private struct WeakHelper {
        weak var helper: Helper?
    }

    /// Creates a decoder whose helpers are driven by `loop`; none is started before there is a
    /// picture.
    ///
    /// - Parameters:
    ///   - loop: The loop, on the machine's clock: virtual time doesn't wait for processes.
    ///   - configuration: The limits of the helpers.
    ///
    /// Traps if the loop is on virtual time, or a number of the configuration makes no sense.
    public init(on loop: MainLoop, configuration: Configuration = Configuration()) {
        configuration.check()
        if case .virtual = loop.clock {
            preconditionFailure("virtual time doesn't wait for a helper process")
        }
        self.loop = loop
        self.configuration = configuration
    }

    deinit { close() }

    /// Decodes a file in a helper.
    ///
    /// - Parameters:
    ///   - origin: The bytes, in a file or in memory. The file is opened, or the bytes are copied,
    ///     when a helper is available.
    ///   - name: The name of the file in errors.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - completion: Called once on the loop, after this returns, unless the request is cancelled
    ///     or the loop closed before.
    /// - Returns: The request, to cancel it; it need not be kept.
    @discardableResult
    public func decode(
        _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits = PictureLimits(),
        completion: @escaping (Result<Picture, IsolatedError>) -> Void
    ) -> Request {
        let request = Request(
            origin, named: name, fitting: targetSize, limits: limits, of: self,
            completion: completion)
        if isClosed || loop.isClosed {
            endLater(request, .closed)
        } else if waiting.count < configuration.waiting {
            waiting.append(request)
            serve()
        } else {
            endLater(request, .tooMany(limit: configuration.waiting))
        }
        return request
    }

    /// Kills the helpers, and ends every request with `closed`; the completions are called before
    /// this returns.
    ///
    /// When it returns, the processes are gone. A second call does nothing, and later requests end
    /// with `closed` too.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        var requests: [Request] = []
        for helper in helpers {
            if let request = helper.request { requests.append(request) }
            helper.end()
            helper.stopWatching()
        }
        kept = []
        requests += waiting
        waiting = []
        for request in requests { request.end(.failure(.closed)) }
    }

    /// The process IDs of the helpers, for monitoring.
    public var processes: [Int32] { live.map(\.number) }

    /// The helpers that the loop hasn't reaped.
    private var helpers: [Helper] { kept.compactMap(\.helper) }

    /// The helpers that can still be sent requests.
    private var live: [Helper] { helpers.filter { $0.life != .ended } }

    /// Ends a request after its caller has returned.
    private func endLater(_ request: Request, _ error: IsolatedError) {
        guard !loop.isClosed else { return }
        loop.schedule(after: .zero) { request.end(.failure(error)) }
    }

    /// Removes a cancelled request.
    func forget(_ request: Request) {
        waiting.removeAll { $0 === request }
        helpers.first { $0.request === request }?.abandon()
    }

    // MARK: - Helpers

    /// Sends waiting requests to idle helpers, and starts helpers for the rest.
    private func serve() {
        while let request = waiting.first {
            let live = live
            if let helper = live.first(where: { $0.life == .idle }) {
                if helper.endIfWorking() { continue }
                waiting.removeFirst()
                send(request, to: helper)
            } else if let failure = backoff.reason(at: loop.clock.now) {
                return live.isEmpty ? endWaiting(failure) : ()
            } else if live.count < configuration.helpers,
                live.count(where: { $0.life == .starting }) < waiting.count
            {
                start()
            } else {
                return
            }
        }
    }

    private func send(_ request: Request, to helper: Helper) {
        let file: OpenedFile
        do throws(IsolatedError) {
            file = try request.open()
        } catch {
            if case .picture = error { statistics.refused += 1 }
            return endLater(request, error)
        }
        do throws(LoopError) {
            try helper.send(request, file)
        } catch {
            guard case .system(_, let errno) = error, [EPIPE, ECONNRESET, EAGAIN].contains(errno)
            else { return endLater(request, .system(error)) }
            // The helper exited while it was idle; the picture waits for another.
            helper.end()
            waiting.insert(request, at: 0)
            if !helper.hasAnswered { didNotStart(.ended(.unknown)) }
        }
    }

    private func start() {
        do throws(LoopError) {
            let helper = try Helper(configuration, on: loop) { [weak self] in self?.take($0) }
            statistics.started += 1
            kept.removeAll { $0.helper == nil }
            kept.append(WeakHelper(helper: helper))
        } catch {
            didNotStart(.system(error))
        }
    }

    private func didNotStart(_ failure: IsolatedError.HelperFailure) {
        statistics.startFailures += 1
        backoff.add(failure, at: loop.clock.now, configuration.backoff)
        // Other helpers may still serve the requests.
        if live.isEmpty { endWaiting(failure) }
    }

    private func endWaiting(_ failure: IsolatedError.HelperFailure) {
        for request in waiting { endLater(request, .noHelper(failure)) }
        waiting = []
    }

    /// Replaces a helper that has failed, if needed, and only then ends its request.
    private func take(_ event: Helper.Event) {
        statistics.count(event)
        var ended: (request: Request, result: Result<Picture, IsolatedError>)?
        switch event {
        case .ready: break
        case .freed: backoff = StartBackoff()
        case .answered(let request, let result, _):
            backoff = StartBackoff()
            ended = (request, result)
        case .failed(let failure, in: .starting): return didNotStart(failure)
        case .failed(let failure, in: .busy(let request)):
            ended = (request, .failure(.helper(file: request.name, failure)))
        case .failed: break
        }
        serve()
        if let ended { ended.request.end(ended.result) }
    }
}

extension IsolatedDecoder: PictureHelper {
    /// Decodes an untrusted picture for a source.
    ///
    /// The source is created by
    /// `PictureSource(on: loop, decoding: .helper(IsolatedDecoder(on: loop)))`.
    public func decode(
        _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
    ) -> any PendingOperation {
        let end: (Result<Picture, IsolatedError>) -> Void = { result in
            completion(
                result.mapError { error in
                    if case .picture(let error) = error { error } else { error }
                })
        }
        return decode(origin, named: name, fitting: targetSize, limits: limits, completion: end)
    }
}
