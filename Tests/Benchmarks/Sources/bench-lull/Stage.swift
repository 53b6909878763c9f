import CEvent
import CHosts
import Glibc
import IdleLoop
import LoopGLib
import LoopSDEvent
import LoopUV
import Workloads

/// How Lull is used.
enum Mode: String {
    case drive, adopt, submit, watched, glib
    case sdEvent = "sd-event"
    case uv, fd

    /// The kind of loop on which it is a guest, if that is one of CHosts.
    fileprivate var kind: host_kind? {
        switch self {
        case .glib: HOST_GLIB
        case .sdEvent: HOST_SD_EVENT
        case .uv: HOST_UV
        default: nil
        }
    }
}

/// A loop, and who runs it.
@safe final class Stage {
    /// Who runs a loop.
    @safe private enum Host {
        case none
        case libevent(OpaquePointer)
        case other(host_kind, UnsafeMutableRawPointer)
        case poll(DescriptorHost)
    }

    let mode: Mode
    let loop: MainLoop
    private let host: Host
    /// Whether a host that polls goes on, and what it watches besides its guest.
    private var isRunning = false
    private var watched: (descriptor: Int32, call: () -> Bool)?

    init(_ mode: Mode) throws(LoopError) {
        self.mode = mode
        if let kind = mode.kind {
            guard let host = unsafe host_open(kind) else { throw .noBase }
            unsafe self.host = .other(kind, host)
            loop =
                switch mode {
                case .glib: try unsafe MainLoop(onGLib: OpaquePointer(host))
                case .sdEvent: try unsafe MainLoop(onSDEvent: OpaquePointer(host))
                default: try unsafe MainLoop(onUV: host)
                }
        } else if mode == .adopt {
            guard let host = unsafe host_base_new() else { throw .noBase }
            unsafe self.host = .libevent(host)
            loop = unsafe try MainLoop(adopting: host)
        } else if mode == .fd {
            let host = try DescriptorHost()
            self.host = .poll(host)
            loop = try MainLoop(on: host)
        } else {
            host = .none
            loop = try MainLoop()
        }
    }

    func run() throws(LoopError) {
        switch host {
        case .none: try loop.run()
        case .libevent(let base): _ = unsafe event_base_dispatch(base)
        case .other(let kind, let host): unsafe host_run(kind, host)
        case .poll(let host): poll(host)
        }
    }

    /// The simplest loop that there is.
    private func poll(_ host: DescriptorHost) {
        isRunning = true
        let event = Int16(POLLIN)
        while isRunning {
            var ready = [
                pollfd(fd: host.descriptor, events: event, revents: 0),
                pollfd(fd: watched?.descriptor ?? -1, events: event, revents: 0),
            ]
            _ = unsafe Glibc.poll(&ready, 2, -1)
            let isBusy = ready[1].revents != 0
            if isBusy, watched?.call() == false { stop() }
            host.process(wasBusy: isBusy)
        }
    }

    func stop() {
        switch host {
        case .none: loop.stop()
        case .libevent(let base): _ = unsafe event_base_loopbreak(base)
        case .other: host_stop()
        case .poll: isRunning = false
        }
    }

    /// Watches a descriptor for the rest of the process, by the host's own means if there are any.
    func watch(_ descriptor: Int32, _ call: @escaping () -> Bool) throws(LoopError) {
        switch host {
        case .other(let kind, let host):
            let box = unsafe Unmanaged.passRetained(Callback(call)).toOpaque()
            unsafe host_watch(
                kind, host, descriptor,
                { box in
                    guard let box = unsafe box else { return false }
                    return unsafe Unmanaged<Callback>.fromOpaque(box).takeUnretainedValue().body()
                }, box)
        case .poll: watched = (descriptor, call)
        default:
            try loop.watch(descriptor, for: .readable) { [unowned self] _ in
                if !call() { stop() }
            }
        }
    }

    private final class Callback {
        let body: () -> Bool
        init(_ body: @escaping () -> Bool) { self.body = body }
    }

    /// A queue with so much time between two polls.
    func queue(batch: Duration, name: String = "jobs") -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        configuration.batch = batch
        configuration.name = name
        return IdleQueue(on: loop, configuration: configuration)
    }

    // MARK: - M1

    func tinyJobs(_ jobs: TinyJobs) throws(LoopError) {
        let watch = try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
        defer { watch.cancel() }
        let isBudgeted = jobs.budget > 0
        let queue = queue(batch: isBudgeted ? .microseconds(50) : .zero)
        if mode == .submit {
            submitAll(jobs, to: queue)
        } else {
            queue.submit(0) { _ in
                if isBudgeted ? jobs.runNext() : jobs.pass() { return .again }
                self.stop()
                return .done
            }
        }
        jobs.start()
        try run()
        queue.close()
    }

    /// Each job hands in the next, under another key.
    private func submitAll(_ jobs: TinyJobs, to queue: IdleQueue<Int>) {
        var key = 0
        func next() {
            key += 1
            queue.submit(key) { _ in
                let isMore = isBudgeted ? jobs.runNext() : jobs.pass()
                if isMore { next() } else { self.stop() }
                return .done
            }
        }
        let isBudgeted = jobs.budget > 0
        next()
    }

    // MARK: - M5

    func submissions(_ submissions: Submissions) throws(LoopError) {
        let port = loop.port(of: Bool.self) { _ in
            if !submissions.answer() { self.stop() }
        }
        let keeper = try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
        submissions.start { port.send(true) }
        try run()
        keeper.cancel()
        submissions.report()
    }

    // MARK: - M6

    func sleep(_ quiet: QuietSleep) throws(LoopError) {
        let port = loop.port(of: Bool.self) { _ in
            quiet.end()
            self.stop()
        }
        let keeper = try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
        let queue = queue(batch: .zero)
        queue.submit(0, onEnd: { _ in quiet.begin { port.send(true) } }) { _ in
            quiet.job() ? .again : .done
        }
        try run()
        keeper.cancel()
        queue.close()
        quiet.report()
    }
}
