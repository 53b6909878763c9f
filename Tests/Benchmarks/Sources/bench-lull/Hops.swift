import Dispatch
import IdleLoop
import Workloads

/// C1: what it takes from another thread to the loop, by a task that goes to its actor and by a post.
///
/// Each pair is of equals, in microseconds of M5's kind. "there": a closure is handed over, and the
/// time ends as it begins on the loop; one is a task made for it, the other a post. "there and back":
/// who asked sleeps until the answer has come; one is a task on an executor of that thread, which
/// goes on by a job put there, the other the thread itself, and both are woken by a semaphore.
func hops() throws {
    // In turns, so that both meet the same machine; of what is printed several times the median counts.
    for turn in 0..<(isQuick ? 2 : 5) {
        for side in turn % 2 == 0 ? Side.allCases : Side.allCases.reversed() {
            setContender(side.rawValue)
            try hop("there", there(side))
            try hop("there and back", thereAndBack(side))
        }
    }
}

/// What the other thread does in a round trip, at the end of which is an answer.
private typealias Trip = @Sendable (Submissions, Inbox) -> Void

private func hop(_ variant: String, _ trip: @escaping Trip) throws {
    let loop = try MainLoop()
    defer { loop.close() }
    try loop.serve(LoopActor.executor)
    try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
    let submissions = Submissions()
    let inbox = loop.inbox
    submissions.start { trip(submissions, inbox) }
    try loop.run()
    submissions.report(as: "C1", variant)
}

private func there(_ side: Side) -> Trip {
    switch side {
    case .plain:
        { submissions, inbox in
            inbox.post { loop in if !submissions.answer() { loop.stop() } }
        }
    case .task:
        { submissions, _ in
            Task { @LoopActor in if !submissions.answer() { try LoopActor.loop.stop() } }
        }
    }
}

private func thereAndBack(_ side: Side) -> Trip {
    let answer: Trip = { submissions, inbox in
        if !submissions.answer() { inbox.post { $0.stop() } }
    }
    switch side {
    case .plain:
        let semaphore = DispatchSemaphore(value: 0)
        return { submissions, inbox in
            inbox.post { _ in semaphore.signal() }
            semaphore.wait()
            answer(submissions, inbox)
        }
    case .task:
        return { submissions, inbox in
            Task { @CallerActor in
                await doNothing()
                CallerActor.trips &+= 1
            }
            CallerActor.executor.runNext()
            CallerActor.executor.runNext()  // it's back
            answer(submissions, inbox)
        }
    }
}

/// How often the loop was asked: something to do there, or the way there would be left out.
@LoopActor private var answers = 0

@LoopActor @inline(never) private func doNothing() {
    answers &+= 1
}
