import Glibc
import NIOCore
import NIOPosix
import Workloads

/// Runs workloads on a loop of one thread, while the main thread waits.
struct Runner: Sendable {
    private let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    private func makeRun() -> Run {
        Run(over: loop.makePromise())
    }

    /// Calls `start` on the loop and waits until the run is over.
    private func wait(for run: Run, start: @escaping @Sendable () -> Void) throws {
        loop.execute(start)
        try run.over.futureResult.wait()
    }

    /// Makes the loop call `pass` again and again, with a poll between, until the run is over, which
    /// it is when that returns false.
    private func addIdle(_ run: Run, pass: @escaping @Sendable () -> Bool) {
        let step: @Sendable () -> Void = {
            guard unsafe !run.isOver else { return }
            if pass() { addIdle(run, pass: pass) } else { run.end() }
        }
        loop.scheduleTask(in: .microseconds(1), step)
    }

    // MARK: Workloads

    func tinyJobs(variant: Int) throws {
        // A hundred times slower than others, it doesn't need as many for a good average.
        let jobs = TinyJobs(variant: variant, count: 20_000)
        let run = makeRun()
        try wait(for: run) {
            jobs.start()
            addIdle(run) { jobs.pass() }
        }
        jobs.report()
    }

    func foreground(variant: Int) throws {
        let fore = Foreground(variant: variant)
        let run = makeRun()
        let channel = try NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = TimesHandler { times in
                        if !fore.received(times) { run.end() }
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .takingOwnershipOfDescriptor(input: dup(fore.descriptor)).wait()
        try wait(for: run) {
            fore.start()
            for _ in 0..<fore.sources { addIdle(run) { fore.job() } }
        }
        try channel.close().wait()
        fore.report()
    }

    func submissions() throws {
        let submissions = Submissions()
        let run = makeRun()
        try wait(for: run) {
            submissions.start {
                loop.execute {
                    if !submissions.answer() { run.end() }
                }
            }
        }
        submissions.report()
    }

    func quietSleep() throws {
        let quiet = QuietSleep()
        let run = makeRun()
        @Sendable func step() {
            if quiet.job() {
                loop.scheduleTask(in: .microseconds(1), step)
            } else {
                quiet.begin {
                    loop.execute {
                        quiet.end()
                        run.end()
                    }
                }
            }
        }
        try wait(for: run, start: step)
        quiet.report()
    }

    /// The frames' timer is a task scheduled for each frame in turn, at its place on the grid.
    func frames(variant: Int) throws {
        let frames = Frames(variant: variant)
        let run = makeRun()
        @Sendable func schedule() {
            loop.scheduleTask(deadline: .uptimeNanoseconds(frames.nextDue)) {
                if frames.handle() { schedule() } else { run.end() }
            }
        }
        try wait(for: run) {
            frames.start()
            schedule()
            addIdle(run) { frames.runJob() }
        }
        frames.report()
    }
}
