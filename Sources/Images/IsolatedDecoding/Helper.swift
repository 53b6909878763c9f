import LullLibC
import IdleLoop
import ImageLoading

/// One helper process, its requests and replies, and its time limits.
///
/// Replies are untrusted, and are validated before they are used. The helper is retained by its
/// closures on the loop: when these are released, also because the loop is closed, the process is
/// killed and reaped.
final class Helper {
    /// The stages of a helper's life.
    enum Life: Equatable {
        case starting
        case idle
        case busy(IsolatedDecoder.Request)
        /// Decoding a picture whose request was cancelled.
        case abandoned
        /// Killed or exited; nothing more is sent to the helper.
        case ended
    }

    /// An event after which the helper may be idle, or is to be replaced.
    enum Event {
        case ready
        /// A request was completed, with the processor time that it took.
        case answered(IsolatedDecoder.Request, Result<Picture, IsolatedError>, cpu: Duration)
        /// The helper has finished a picture whose request was cancelled.
        case freed
        /// The helper has failed, and was killed.
        case failed(IsolatedError.HelperFailure, in: Life)
    }

    /// The processor time that the helper may use beyond a request's limit: to receive a file, to
    /// send pixels, and to finish the decoding step in which it reaches the limit.
    private static let spareTime = Duration.milliseconds(250)

    private(set) var life = Life.starting
    private let configuration: IsolatedDecoder.Configuration
    private let clock: LoopClock
    private weak let loop: MainLoop?
    private let report: (Event) -> Void
    private let channel: Channel
    /// The file into which the helper writes the pixels of each picture.
    private let pixels: OpenedFile
    private var process: HelperProcess
    /// The number of the current request, or of the last one.
    private var requests: Int64 = 0
    /// The processor time that the helper had used when it completed its last request.
    private var cpuBefore = Duration.zero
    private var timer: LoopTimer?
    private var readWatch: Watch?
    private var exitWatch: Watch?

    /// Starts a helper, and calls `report` on the loop for each of its events.
    init(
        _ configuration: IsolatedDecoder.Configuration, on loop: MainLoop,
        report: @escaping (Event) -> Void
    ) throws(LoopError) {
        let ends = try Channel.pair()
        self.configuration = configuration
        clock = loop.clock
        self.loop = loop
        self.report = report
        channel = ends.near
        pixels = try SharedBytes.file()
        // The message waits in the socket until the helper reads it.
        let start = Message([HelperRequest.mark, Int64(configuration.memory)])
        try channel.send(start, pixels, waits: false)
        process = try HelperProcess(path: configuration.path, socket: ends.far)
        do throws(LoopError) {
            exitWatch = try loop.watch(child: process.number) { [self] in exited($0) }
            readWatch = try loop.watch(channel.number, for: .readable) { [self] _ in read() }
        } catch {
            stopWatching()
            throw error
        }
        arm(after: configuration.startDeadline) {
            $0.fail(.silent(after: configuration.startDeadline))
        }
    }

    var number: Int32 { process.number }

    /// Whether the helper has completed a request; valid while it has none.
    var hasAnswered: Bool { requests > 0 }

    /// The current request.
    var request: IsolatedDecoder.Request? {
        if case .busy(let request) = life { request } else { nil }
    }

    /// Sends a request and the picture's file to the helper, which must be idle.
    func send(_ request: IsolatedDecoder.Request, _ file: OpenedFile) throws(LoopError) {
        let message = HelperRequest(
            id: requests + 1, targetSize: request.targetSize, limits: request.limits)
        try channel.send(message.message, file, waits: false)
        requests += 1
        life = .busy(request)
        watch(request, until: clock.now.advanced(by: configuration.deadline))
    }

    /// Kills the helper after a short time, unless it has finished the cancelled request by then.
    func abandon() {
        life = .abandoned
        arm(after: configuration.cancellationGrace) { [configuration] in
            $0.fail(.silent(after: configuration.cancellationGrace))
        }
    }

    /// Kills the helper if it uses processor time while it's idle, and returns whether it did.
    func endIfWorking() -> Bool {
        guard cpuSpent > Self.spareTime else { return false }
        fail(.invalidReply(.unexpected))
        return true
    }

    /// Kills the helper; the loop reaps it when it has exited.
    func end() {
        life = .ended
        timer.take()?.cancel()
        kill()
    }

    /// Cancels the watches that retain the helper, which kills the process unless somebody else
    /// retains it.
    func stopWatching() {
        readWatch.take()?.cancel()
        exitWatch.take()?.cancel()
    }

    private func kill() {
        readWatch.take()?.cancel()
        process.kill()
    }

    private func fail(_ failure: IsolatedError.HelperFailure) {
        guard life != .ended else { return }
        let life = life
        end()
        report(.failed(failure, in: life))
    }

    /// Makes the helper idle, or kills it after its last picture.
    private func becomeIdle(_ event: Event) {
        if process.isReaped || requests >= configuration.picturesPerHelper {
            end()
        } else {
            life = .idle
            cpuBefore = process.cpuTime
            endWhenIdle()
        }
        report(event)
    }

    private func exited(_ end: ChildExit) {
        process.isReaped = true
        // A message that it sent before it exited is still valid.
        if request != nil { read() }
        fail(.ended(end))
    }

    // MARK: - Time limits

    /// The processor time that the helper has used since it completed its last request.
    ///
    /// It's measured by the kernel, with the resolution of its ticks, because the helper may change
    /// its own limits and block their signals.
    private var cpuSpent: Duration { max(.zero, process.cpuTime - cpuBefore) }

    /// Schedules a closure, and cancels the one that was scheduled before.
    private func arm(after time: Duration, _ body: @escaping (Helper) -> Void) {
        timer?.cancel()
        timer = loop?.schedule(after: time) { [weak self] in
            guard let self else { return }
            timer = nil
            body(self)
        }
    }

    /// Checks the helper at the deadline, and before that whenever it may have used up its
    /// processor time, which can't exceed the time that has passed.
    private func watch(_ request: IsolatedDecoder.Request, until deadline: Instant) {
        let limit = request.limits.time + Self.spareTime
        let silence = clock.now.duration(to: deadline)
        arm(after: min(silence, max(limit - cpuSpent, .milliseconds(10)))) { helper in
            let spent = helper.cpuSpent
            if spent > limit {
                helper.end()
                let error = PictureError(
                    file: request.name, reason: .tooSlow(spent: spent, limit: request.limits.time))
                helper.report(.answered(request, .failure(.picture(error)), cpu: spent))
            } else if helper.clock.now < deadline {
                helper.watch(request, until: deadline)
            } else {
                helper.fail(.silent(after: helper.configuration.deadline))
            }
        }
    }

    /// Kills the helper when it has been idle for the idle time, or earlier if it uses processor
    /// time.
    ///
    /// It's checked after a second, and then each time that the idle time has doubled.
    private func endWhenIdle(rested: Duration = .zero) {
        let time = configuration.idleTime
        let next = min(time, max(.seconds(1), rested * 2))
        arm(after: next - rested) { helper in
            if helper.endIfWorking() { return }
            if next < time { helper.endWhenIdle(rested: next) } else { helper.end() }
        }
    }

    // MARK: - Replies

    private func read() {
        switch channel.receive(waits: false) {
        case .nothing: break
        case .closed:
            // Whether it has exited or only closed the socket, its exit status gives the reason.
            if life == .idle { end() } else { kill() }
        case .message(let message, nil):
            guard let reply = HelperReply(message) else { return fail(.invalidReply(.garbage)) }
            take(reply)
        case .message, .garbage: fail(.invalidReply(.garbage))
        }
    }

    private func take(_ reply: HelperReply) {
        let isExpected = reply.id == requests && (reply.outcome == .ready) == (life == .starting)
        switch life {
        case _ where !isExpected: fail(.invalidReply(.unexpected))
        case .starting: becomeIdle(.ready)
        case .busy(let request):
            do throws(IsolatedError.InvalidReply) {
                let result = try result(of: request, reply)
                becomeIdle(.answered(request, result, cpu: cpuSpent))
            } catch {
                fail(.invalidReply(error))
            }
        case .abandoned: becomeIdle(.freed)
        case .idle: fail(.invalidReply(.unexpected))
        case .ended: break
        }
    }

    private func result(
        of request: IsolatedDecoder.Request, _ reply: HelperReply
    ) throws(IsolatedError.InvalidReply) -> Result<Picture, IsolatedError> {
        switch reply.outcome {
        case .ready: throw .unexpected
        case .failed(let reason):
            return .failure(.picture(PictureError(file: request.name, reason: reason)))
        case .picture(let size, let damage):
            guard isPossible(size, for: request) else { throw .wrongSize(size) }
            let count = 4 * size.width * size.height
            guard let bytes = SharedBytes.read(pixels, count: count) else { throw .badPixels }
            return .success(Picture(size: size, pixels: bytes, damage: damage))
        }
    }

    private func isPossible(_ size: PixelSize, for request: IsolatedDecoder.Request) -> Bool {
        // No decoder here makes pictures with longer sides, and the products can't overflow.
        let width = 1...min(max(1, request.targetSize.width), 0xFFFF)
        let height = 1...min(max(1, request.targetSize.height), 0xFFFF)
        return width.contains(size.width) && height.contains(size.height)
            && size.width * size.height <= request.limits.pixels
            && 4 * size.width * size.height <= configuration.memory
    }
}
