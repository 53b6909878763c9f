// M8: frames at 60 Hz whose handler takes 1 ms, beside endless jobs of 4 ms, of which 200 wait, and an
// urgent one each 130 ms. Contenders in turn, each for some seconds, and that a few times:
//
//     bench-lanes [SECONDS [ROUNDS [CONTENDER...]]]
//
// "lulls" has no lanes, "lanes" has them, "pool" is a thread for each processor, and "pool 19" the same
// at nice 19; a pool's threads take urgent jobs first. Late frames are those that began a millisecond
// after they were due.
//
//     bench-lanes scale
//
// The processor time that one order costs for each job, with 1 to 64 simulated lanes: its inverse is the
// greatest number of jobs a second, and times a job's cost that of lanes which it keeps busy.

import Dispatch
import Glibc
import IdleLoop
import Synchronization

if CommandLine.arguments.dropFirst().first == "scale" {
    try measureScale()
    exit(0)
}
let seconds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 5 : 5
let rounds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1
let work = Work()
let names = CommandLine.arguments.dropFirst(3)
for _ in 0..<rounds {
    for contender in Contender.allCases where names.isEmpty || names.contains(contender.rawValue) {
        try Session(contender, work).run(for: .seconds(seconds))
    }
}

enum Contender: String, CaseIterable {
    case lulls
    case lanes
    case pool
    case poolAtNice19 = "pool 19"
}

/// Work of a fixed number of steps, which takes as long as the processor makes it.
struct Work: Sendable {
    /// The steps of a tenth of a millisecond.
    private let steps: Int

    init() {
        var steps = 1000
        while true {
            let start = LoopClock.monotonic.now
            Self.compute(steps * 10)
            let time = LoopClock.monotonic.now - start
            if time > .milliseconds(20) {
                self.steps = Int(Double(steps) * 10 * (.microseconds(100) / time))
                return
            }
            steps *= 2
        }
    }

    func unit() { Self.compute(steps) }

    @inline(never)
    private static func compute(_ steps: Int) {
        var value: UInt64 = 1
        for step in 0..<UInt64(steps) { value = (value ^ step) &* 0x9E37_79B9_7F4A_7C15 }
        if value == 0 { print("") }
    }
}

/// A pool's jobs, of which threads take the urgent first.
final class Pool: Sendable {
    private struct State {
        var urgent: [Int] = []
        var others: [Int] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let waiting = DispatchSemaphore(value: 0)

    func add(_ key: Int, isUrgent: Bool) {
        state.withLock { if isUrgent { $0.urgent.append(key) } else { $0.others.append(key) } }
        waiting.signal()
    }

    func end(_ threads: Int) {
        state.withLock { $0.isOver = true }
        for _ in 0..<threads { waiting.signal() }
    }

    func work(_ body: (Int) -> Void) {
        while true {
            waiting.wait()
            let key: Int? = state.withLock { state in
                guard !state.isOver else { return -1 }
                if !state.urgent.isEmpty { return state.urgent.removeFirst() }
                return state.others.isEmpty ? nil : state.others.removeFirst()
            }
            if key == -1 { return }
            if let key { body(key) }
        }
    }
}

final class Session {
    private static let units = 40

    private let contender: Contender
    private let work: Work
    private let loop: MainLoop
    private let queue: IdleQueue<Int>
    private let pool = Pool()
    private var started: [Int: Instant] = [:]
    private var next = 0
    private var done = 0
    private var delays: [Duration] = []
    private var waits: [Duration] = []
    private var isOver = false

    init(_ contender: Contender, _ work: Work) throws {
        (self.contender, self.work) = (contender, work)
        loop = try MainLoop()
        var configuration = QueueConfiguration()
        configuration.lanes = contender == .lanes ? .automatic : .none
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    func run(for time: Duration) throws {
        let threads = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        if contender == .pool || contender == .poolAtNice19 {
            let (pool, inbox, work, isNice) = (pool, loop.inbox, work, contender != .pool)
            nonisolated(unsafe) let session = self  // used on the loop's thread alone
            for _ in 0..<threads {
                _ = startThread {
                    // Of this thread.
                    if isNice { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 19) }
                    pool.work { key in
                        for _ in 0..<Session.units { work.unit() }
                        inbox.post { _ in unsafe session.end(of: key) }
                    }
                }
            }
        }
        let start = loop.clock.now
        var due = start + .microseconds(16_667)
        func frame() {
            delays.append(loop.clock.now - due)
            for _ in 0..<10 { work.unit() }
            due = due + .microseconds(16_667)
            if !isOver { loop.schedule(at: due) { frame() } }
        }
        loop.schedule(at: due) { frame() }
        for number in 1...max(1, Int(time / .milliseconds(130)) - 1) {
            loop.schedule(at: start + .milliseconds(130) * number) { [self] in
                submit(isUrgent: true)
            }
        }
        for _ in 0..<200 { submit(isUrgent: false) }
        loop.schedule(at: start + time) { [self] in
            isOver = true
            loop.stop()
        }
        try loop.run()
        let took = (loop.clock.now - start) / .seconds(1)
        pool.end(threads)
        queue.close()
        loop.close()
        let late = delays.count { $0 > .milliseconds(1) }
        let ordered = waits.sorted()
        let (p50, p99) = (ordered[ordered.count / 2], ordered[ordered.count * 99 / 100])
        print(
            contender.rawValue, "jobs/s", Int(Double(done) / took), "late", late, "of",
            delays.count,
            "urgent p50", p50 / .milliseconds(1), "p99", p99 / .milliseconds(1))
        fflush(nil)
    }

    private func submit(isUrgent: Bool) {
        next += 1
        let key = next
        if isUrgent { started[key] = loop.clock.now }
        switch contender {
        case .pool, .poolAtNice19: pool.add(key, isUrgent: isUrgent)
        case .lulls, .lanes:
            let work = work
            var left = Self.units
            queue.submit(
                key, priority: isUrgent ? .highest : .normal,
                onEnd: { [self] end in if case .done = end { self.end(of: key) } },
                anywhere: { slot in
                    while left > 0, !slot.isOver {
                        work.unit()
                        left -= 1
                    }
                    return left > 0 ? .again : .done
                })
        }
    }

    private func end(of key: Int) {
        guard !isOver else { return }
        done += 1
        if let start = started.removeValue(forKey: key) {
            waits.append(loop.clock.now - start)
        } else {
            submit(isUrgent: false)
        }
    }
}
