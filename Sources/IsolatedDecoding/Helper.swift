import Glibc
import IdleLoop
import ImageLoading

/// One helper process: what it's asked and answers, and the limits of its time.
///
/// Nothing that it says is believed before it has been checked. The closures on the loop keep it: when
/// they go, be it that the loop is closed, it goes, and the process is ended and reaped.
final class Helper {
    /// The stages of its life.
    enum Life: Equatable {
        case starting
        case idle
        case busy(IsolatedDecoder.Request)
        /// It works on a picture that nobody wants any more.
        case abandoned
        /// It was ended, or has ended by itself, and isn't spoken to any more.
        case ended
    }

    /// An event of its life, after which it may be free, or another is to take its place.
    enum Event {
        case ready
        /// A picture that it had has come to its end, with the processor time that it took.
        case answered(IsolatedDecoder.Request, Result<Picture, IsolatedError>, cpu: Duration)
        /// It is done with a picture that nobody wants any more.
        case freed
        /// It has failed, and is ended.
        case failed(IsolatedError.HelperFailure, in: Life)
    }

    /// The processor time that it may use beyond what it's given: to take a file and to send pixels,
    /// and for the step of decoding that comes to the limit.
    private static let spareTime = Duration.milliseconds(250)

    private(set) var life = Life.starting
    private let configuration: IsolatedDecoder.Configuration
    private let clock: LoopClock
    private weak let loop: MainLoop?
    private let report: (Event) -> Void
    private let channel: Channel
    /// The file into which it writes the pixels of each picture.
    private let pixels: OpenedFile
    private var process: HelperProcess
    /// The number of the request that it has, or had last.
    private var requests: Int64 = 0
    /// The processor time that it had used when it had answered its last request.
    private var cpuBefore = Duration.zero
    private var timer: LoopTimer?
    private var readWatch: Watch?
    private var exitWatch: Watch?

    /// Starts a helper, and has `report` called on the loop.
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
        // Waits in the connection for the helper.
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
        alarm(after: configuration.startDeadline) {
            $0.fail(.silent(after: configuration.startDeadline))
        }
    }

    var number: Int32 { process.number }

    /// Whether it has answered a request; asked while it has none.
    var hasAnswered: Bool { requests > 0 }

    /// The picture that it has.
    var request: IsolatedDecoder.Request? {
        if case .busy(let request) = life { request } else { nil }
    }

    /// Hands it a picture's file, when it's idle.
    func send(_ request: IsolatedDecoder.Request, _ file: OpenedFile) throws(LoopError) {
        let message = HelperRequest(id: requests + 1, box: request.box, limits: request.limits)
        try channel.send(message.message, file, waits: false)
        requests += 1
        life = .busy(request)
        watch(request, until: clock.now.advanced(by: configuration.deadline))
    }

    /// Ends it after a moment, unless it's done by then with the picture that nobody wants any more.
    func abandon() {
        life = .abandoned
        alarm(after: configuration.patience) { [configuration] in
            $0.fail(.silent(after: configuration.patience))
        }
    }

    /// Ends it if it works though it has nothing to do, and returns whether that was so.
    func endIfWorking() -> Bool {
        guard cpuSpent > Self.spareTime else { return false }
        fail(.lied(.unexpected))
        return true
    }

    /// Ends it; the loop reaps it when it's gone.
    func end() {
        life = .ended
        timer.take()?.cancel()
        kill()
    }

    /// Lets the loop let go of it, which ends it at once if nobody else holds it.
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

    /// Makes it wait for another picture, or ends it after its last.
    private func rest(_ event: Event) {
        if process.isReaped || requests >= configuration.picturesPerHelper {
            end()
        } else {
            life = .idle
            cpuBefore = process.cpuTime
            endAfterRest()
        }
        report(event)
    }

    private func exited(_ end: ChildExit) {
        process.isReaped = true
        // A message that it sent before it ended counts.
        if request != nil { read() }
        fail(.ended(end))
    }

    // MARK: - Time

    /// The processor time that it has used since it had answered its last request: the system's count,
    /// which goes by ticks, as it may set its own limits and block what they send.
    private var cpuSpent: Duration { max(.zero, process.cpuTime - cpuBefore) }

    /// Calls `body` after a while, in place of what was to be called before.
    private func alarm(after time: Duration, _ body: @escaping (Helper) -> Void) {
        timer?.cancel()
        timer = loop?.schedule(after: time) { [weak self] in
            guard let self else { return }
            timer = nil
            body(self)
        }
    }

    /// Looks at it when it has been silent until the deadline, and before that whenever it may have
    /// used its processor time: it can't use more than passes.
    private func watch(_ request: IsolatedDecoder.Request, until deadline: Instant) {
        let limit = request.limits.time + Self.spareTime
        let silence = clock.now.duration(to: deadline)
        alarm(after: min(silence, max(limit - cpuSpent, .milliseconds(10)))) { helper in
            let spent = helper.cpuSpent
            if spent > limit {
                helper.end()
                let reason = PictureError.Reason.tooLarge(
                    .time, found: Int(spent.wholeNanoseconds),
                    limit: Int(request.limits.time.wholeNanoseconds))
                let error = PictureError(file: request.name, reason: reason)
                helper.report(.answered(request, .failure(.picture(error)), cpu: spent))
            } else if helper.clock.now < deadline {
                helper.watch(request, until: deadline)
            } else {
                helper.fail(.silent(after: helper.configuration.deadline))
            }
        }
    }

    /// Ends it when it has had no work for so long; or sooner, when it works all the same.
    ///
    /// It's looked at after a second, and then each time that it has rested as long again.
    private func endAfterRest(rested: Duration = .zero) {
        let time = configuration.idleTime
        let next = min(time, max(.seconds(1), rested * 2))
        alarm(after: next - rested) { helper in
            if helper.endIfWorking() { return }
            if next < time { helper.endAfterRest(rested: next) } else { helper.end() }
        }
    }

    // MARK: - Answers

    private func read() {
        switch channel.receive(waits: false) {
        case .nothing: break
        case .closed:
            // Whether it has ended or only closed the connection, its end tells why.
            if life == .idle { end() } else { kill() }
        case .message(let message, nil):
            guard let reply = HelperReply(message) else { return fail(.lied(.garbage)) }
            take(reply)
        case .message, .garbage: fail(.lied(.garbage))
        }
    }

    private func take(_ reply: HelperReply) {
        let isExpected = reply.id == requests && (reply.outcome == .ready) == (life == .starting)
        switch life {
        case _ where !isExpected: fail(.lied(.unexpected))
        case .starting: rest(.ready)
        case .busy(let request):
            do throws(IsolatedError.Lie) {
                let result = try result(of: request, reply)
                rest(.answered(request, result, cpu: cpuSpent))
            } catch {
                fail(.lied(error))
            }
        case .abandoned: rest(.freed)
        case .idle: fail(.lied(.unexpected))
        case .ended: break
        }
    }

    private func result(
        of request: IsolatedDecoder.Request, _ reply: HelperReply
    ) throws(IsolatedError.Lie) -> Result<Picture, IsolatedError> {
        switch reply.outcome {
        case .ready: throw .unexpected
        case .failed(let reason):
            return .failure(.picture(PictureError(file: request.name, reason: reason)))
        case .picture(let size):
            guard isPossible(size, for: request) else { throw .wrongSize(size) }
            let count = 4 * size.width * size.height
            guard let bytes = SharedBytes.read(pixels, count: count) else { throw .badPixels }
            return .success(Picture(size: size, pixels: bytes))
        }
    }

    private func isPossible(_ size: PixelSize, for request: IsolatedDecoder.Request) -> Bool {
        // No decoder here makes pictures with longer sides, and products stay small.
        let width = 1...min(max(1, request.box.width), 0xFFFF)
        let height = 1...min(max(1, request.box.height), 0xFFFF)
        return width.contains(size.width) && height.contains(size.height)
            && size.width * size.height <= request.limits.pixels
            && 4 * size.width * size.height <= configuration.memory
    }
}
