import Glibc
import IdleLoop

/// One helper process, as its decoder sees it.
///
/// The closures on the loop keep it: when they go, be it that the loop is closed, it goes, and the
/// process is ended and reaped.
final class Helper {
    /// What it is doing.
    enum Life {
        case starting
        case idle
        case busy(IsolatedDecoder.Request)
        /// It works on a picture that nobody wants any more.
        case abandoned
        /// It was ended, or has ended by itself, and isn't spoken to any more.
        case ended
    }

    let channel: Channel
    private var process: HelperProcess
    var life = Life.starting
    /// The number of the request that it has, or had last.
    private(set) var requests: Int64 = 0
    /// The processor time that it had used when it got, or answered, its last request.
    private var cpuBefore = Duration.zero
    private var timer: LoopTimer?
    private var readWatch: Watch?
    private var exitWatch: Watch?

    /// Starts a helper, and has `onMessage` and `onExit` called on the loop.
    init(
        _ configuration: IsolatedDecoder.Configuration, on loop: MainLoop,
        onMessage: @escaping (Helper) -> Void, onExit: @escaping (Helper, ChildExit) -> Void
    ) throws(SystemError) {
        var far: Descriptor?
        channel = try Channel(to: &far)
        process = try HelperProcess(
            path: configuration.path, arguments: ["--memory", "\(configuration.memory)"],
            socket: far?.number ?? -1)
        do throws(LoopError) {
            exitWatch = try loop.watch(child: process.number) { [self] end in
                process.isReaped = true
                onExit(self, end)
            }
            readWatch = try loop.watch(channel.number, for: .readable) { [self] _ in
                onMessage(self)
            }
        } catch {
            stopWatching()
            guard case .system(let call, let errno) = error else {
                throw SystemError(call: "pidfd_open", errno: 0)
            }
            throw SystemError(call: call, errno: errno)
        }
    }

    var number: Int32 { process.number }

    var isIdle: Bool {
        if case .idle = life { true } else { false }
    }

    var isStarting: Bool {
        if case .starting = life { true } else { false }
    }

    var isEnded: Bool {
        if case .ended = life { true } else { false }
    }

    /// Whether the process has ended by itself and what it said last may still be read.
    var isGone: Bool { process.isReaped }

    func has(_ request: IsolatedDecoder.Request) -> Bool {
        if case .busy(let own) = life { own === request } else { false }
    }

    /// Hands it a picture's file.
    func send(
        _ request: IsolatedDecoder.Request, file: borrowing Descriptor
    ) throws(SystemError) {
        let message = HelperRequest(id: requests + 1, box: request.box, limits: request.limits)
        try channel.send(message.message, file: file.number, waits: false)
        requests += 1
        life = .busy(request)
        cpuBefore = process.cpuTime
    }

    /// It has nothing to do until it's sent a request.
    func rest() {
        life = .idle
        cpuBefore = process.cpuTime
    }

    /// The processor time that it has used since it got, or answered, its last request: the system's
    /// count, as it may set its own limits and block what they send.
    var cpuSpent: Duration { process.cpuTime - cpuBefore }

    /// Has `body` called after a while, in place of what was to be called before.
    func alarm(after time: Duration, on loop: MainLoop, _ body: @escaping (Helper) -> Void) {
        silence()
        timer = loop.schedule(after: time) { [weak self] in
            guard let self else { return }
            timer = nil
            body(self)
        }
    }

    func silence() {
        timer.take()?.cancel()
    }

    /// Ends it; the loop reaps it when it's gone.
    func end() {
        life = .ended
        silence()
        readWatch?.cancel()
        readWatch = nil
        if !process.isReaped { process.kill() }
    }

    /// It has closed the connection: it's ended, if it hasn't ended, and its end tells the rest.
    func hangUp() {
        if isIdle { return end() }
        readWatch?.cancel()
        readWatch = nil
        if !process.isReaped { process.kill() }
    }

    /// Lets the loop let go of it, which ends it at once if nobody else holds it.
    func stopWatching() {
        readWatch?.cancel()
        exitWatch?.cancel()
        readWatch = nil
        exitWatch = nil
    }
}
