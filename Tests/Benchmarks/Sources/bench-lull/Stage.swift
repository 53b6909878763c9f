import CEvent
import IdleLoop
import Workloads

/// How Lull is used.
enum Mode: String {
    case drive, hook, adopt, adoptHook = "adopt-hook", submit, watched, tasks

    var isAdopted: Bool { self == .adopt || self == .adoptHook }
    var isHook: Bool { self == .hook || self == .adoptHook }
}

/// A loop, and who runs it.
@safe struct Stage {
    let mode: Mode
    let loop: MainLoop
    private let host: OpaquePointer?

    init(_ mode: Mode) throws(LoopError) {
        self.mode = mode
        if mode.isAdopted {
            let host = unsafe host_base_new()
            unsafe self.host = host
            loop = unsafe try MainLoop(adopting: host)
        } else {
            unsafe host = nil
            loop = try MainLoop()
        }
    }

    func run() throws(LoopError) {
        if let host = unsafe host {
            _ = unsafe event_base_dispatch(host)
        } else {
            try loop.run()
        }
    }

    func stop() {
        if let host = unsafe host {
            _ = unsafe event_base_loopbreak(host)
        } else {
            loop.stop()
        }
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
        if mode.isHook {
            let hook = loop.beforeIdle { _ in
                if !jobs.pass() { stop() }
                return .worked
            }
            jobs.start()
            try run()
            hook.cancel()
        } else {
            let queue = queue(batch: isBudgeted ? .microseconds(50) : .zero)
            if mode == .submit {
                submitAll(jobs, to: queue)
            } else {
                queue.submit(0) { _ in
                    if isBudgeted ? jobs.runNext() : jobs.pass() { return .again }
                    stop()
                    return .done
                }
            }
            jobs.start()
            try run()
            queue.close()
        }
    }

    /// Each job hands in the next, under another key.
    private func submitAll(_ jobs: TinyJobs, to queue: IdleQueue<Int>) {
        var key = 0
        func next() {
            key += 1
            queue.submit(key) { _ in
                let isMore = isBudgeted ? jobs.runNext() : jobs.pass()
                if isMore { next() } else { stop() }
                return .done
            }
        }
        let isBudgeted = jobs.budget > 0
        next()
    }

    // MARK: - M5

    func submissions(_ submissions: Submissions) throws(LoopError) {
        let port = loop.port(of: Bool.self) { _ in
            if !submissions.answer() { stop() }
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
            stop()
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
