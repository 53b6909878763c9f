public import IdleLoop
public import ImageLoading

/// Decodes pictures in processes that can do nothing else, for those who take pictures from
/// strangers.
///
/// A helper process (`picture-helper`) is sent a file's descriptor and sends back pixels. It can open
/// no file, start no program, reach no network, and has bounded memory and time; what it says is
/// checked before it's believed. A helper that dies or hangs costs one row its picture, and another
/// takes its place.
///
/// ```swift
/// let decoder = IsolatedDecoder(on: loop)
/// decoder.decode(path: "a.jpg", fitting: PixelSize(width: 256, height: 256)) { result in
///     if case .success(let picture) = result { show(picture) }
/// }
/// ```
///
/// It belongs to a loop's thread as the loop does. The first picture starts a helper, which takes
/// some ten milliseconds outside this process; each picture then costs up to half a millisecond
/// more than it would here. A helper without work is ended after a while, so that a loop with
/// nothing to do wakes a few times more, to see that the helper rests, and then stays asleep; until
/// then an adopted loop's host doesn't run out of events. The helpers end with the decoder, with the loop, and with the thread.
///
/// A forked child makes a decoder of its own, and doesn't use its parent's.
public final class IsolatedDecoder {
    /// How it works.
    public let configuration: Configuration
    /// What it has done so far.
    public internal(set) var statistics = Statistics()
    let loop: MainLoop
    private var kept: [WeakHelper] = []
    var waiting: [Request] = []
    var startTrouble = StartTrouble()
    /// Whether it was closed, and decodes nothing more.
    public private(set) var isClosed = false

    /// A decoder whose helpers are driven by `loop`; none is started before there is a picture.
    ///
    /// - Parameters:
    ///   - loop: The loop, on the machine's clock: virtual time doesn't wait for processes.
    ///   - configuration: How it works.
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
    ///   - path: The file. It is opened here, when a helper is free for it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - completion: Called once on the loop, after this returns, unless the request is cancelled
    ///     or the loop closed before.
    /// - Returns: The request, to cancel it; it need not be kept.
    @discardableResult
    public func decode(
        path: String, fitting box: PixelSize, limits: PictureLimits = PictureLimits(),
        completion: @escaping (Result<Picture, IsolatedError>) -> Void
    ) -> Request {
        accept(
            Request(
                .path(path), named: path, fitting: box, limits: limits, of: self,
                completion: completion))
    }

    /// Decodes bytes that were fetched from elsewhere in a helper.
    ///
    /// - Parameters:
    ///   - bytes: All of the file. They are copied once more when a helper is free for them.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - completion: Called once on the loop, after this returns, unless the request is cancelled
    ///     or the loop closed before.
    /// - Returns: The request, to cancel it; it need not be kept.
    @discardableResult
    public func decode(
        bytes: [UInt8], named name: String, fitting box: PixelSize,
        limits: PictureLimits = PictureLimits(),
        completion: @escaping (Result<Picture, IsolatedError>) -> Void
    ) -> Request {
        accept(
            Request(
                .bytes(bytes), named: name, fitting: box, limits: limits, of: self,
                completion: completion))
    }

    /// Ends the helpers, and every request with `closed`; the completions are called from here.
    ///
    /// When it returns, the processes are gone. A second call does nothing, and whatever is asked for
    /// afterwards ends with `closed` too.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        var requests: [Request] = []
        for helper in helpers {
            if case .busy(let request) = helper.life { requests.append(request) }
            helper.end()
            helper.stopWatching()
        }
        kept = []
        requests += waiting
        waiting = []
        for request in requests { request.end(.failure(.closed)) }
    }

    /// The processes of its helpers, for a look at them from outside.
    public var processes: [Int32] { live.map(\.number) }

    func accept(_ request: Request) -> Request {
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

    /// Ends a request when whoever has made it has returned.
    func endLater(_ request: Request, _ error: IsolatedError) {
        guard !loop.isClosed else { return }
        loop.schedule(after: .zero) { request.end(.failure(error)) }
    }

    /// The helpers of which the loop hasn't heard that they're gone.
    var helpers: [Helper] { kept.compactMap(\.helper) }

    /// Those that are still spoken to.
    var live: [Helper] { helpers.filter { !$0.isEnded } }

    func keep(_ helper: Helper) { kept.append(WeakHelper(helper: helper)) }

    func letGo(of helper: Helper) { kept.removeAll { $0.helper == nil || $0.helper === helper } }

    /// A helper that the loop keeps.
    private struct WeakHelper {
        weak var helper: Helper?
    }
}
