import Dispatch
import Workloads

func runTinyJobs(variant: Int, count: Int?) {
    let jobs = TinyJobs(variant: variant, count: count)
    Run.run { run in
        jobs.start()
        run.addIdle { jobs.pass() }
    }
    jobs.report()
}

func runForeground(variant: Int) {
    let fore = Foreground(variant: variant)
    Run.run { run in
        run.add(DispatchSource.makeReadSource(fileDescriptor: fore.descriptor, queue: .main)) {
            fore.read()
        }
        fore.start()
        for _ in 0..<fore.sources { run.addIdle { fore.job() } }
    }
    fore.report()
}

func runSubmissions() {
    let submissions = Submissions()
    Run.run { run in
        submissions.start {
            DispatchQueue.main.async {
                if !submissions.answer() { run.end() }
            }
        }
    }
    submissions.report()
}

func runQuietSleep() {
    // Under dispatchMain the queue is served by whichever thread is free.
    let quiet = QuietSleep(countingAllThreads: true)
    Run.run { run in
        @Sendable func step() {
            if quiet.job() {
                DispatchQueue.main.async { step() }
            } else {
                quiet.begin {
                    DispatchQueue.main.async {
                        quiet.end()
                        run.end()
                    }
                }
            }
        }
        step()
    }
    quiet.report()
}

/// The frames' timer is a strict timer source without leeway, repeating on the frames' grid.
func runFrames(variant: Int) {
    let frames = Frames(variant: variant)
    Run.run { run in
        frames.start()
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
        timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: frames.nextDue),
            repeating: .nanoseconds(Int(frames.period)), leeway: .nanoseconds(0))
        run.add(timer) { frames.handle() }
        run.addIdle { frames.runJob() }
    }
    frames.report()
}
