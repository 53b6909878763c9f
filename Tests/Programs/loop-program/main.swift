// What tests can't do beside each other, each scene in a process with one thread: it forks, uses up
// all descriptors, or counts what memory is left behind, and prints what a loop made of it.
//
// After a fork it prints what the child saw, then what the parent saw. The child is over before the
// parent goes on: whatever it did to what they share would show.
import CLullLibevent
import CLoopHelpers
import Dispatch
import Glibc
import IdleLoop

/// Each scene ends by `exit` with its loop still there, and some without a descriptor to spare, which
/// the leak sanitizer would need: it doesn't look here.
@c(__lsan_is_turned_off)
public func leaksAreNotLookedFor() -> Int32 { 1 }

/// What one of the two saw.
var log: [String] = []
var isChild = false

/// Forks; the child goes on alone until `finish`, and the parent then.
@MainActor func forkAway() {
    let child = lull_fork()
    precondition(child >= 0, "a process can be forked")
    isChild = child == 0
    guard !isChild else {
        alarm(600)  // a fork clears it
        return
    }
    var status: Int32 = 0
    precondition(unsafe waitpid(child, &status, 0) == child, "the child can be waited for")
    precondition(status == 0, "the child has ended well")
}

@MainActor func finish() -> Never {
    print(isChild ? "child:" : "parent:", log.joined(separator: ", "))
    exit(0)
}

/// A pipe's ends.
func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
    return (ends[0], ends[1])
}

func put(into descriptor: Int32) {
    let byte: UInt8 = 1
    _ = unsafe withUnsafeBytes(of: byte) { unsafe write(descriptor, $0.baseAddress, 1) }
}

func take(from descriptor: Int32) {
    var byte: UInt8 = 0
    _ = unsafe read(descriptor, &byte, 1)
}

/// Sets a timer that notes its name, and runs the loop up to a time at which the timer is set and has
/// not fired, however slow the machine is.
@MainActor func setTimer(_ name: String, on loop: MainLoop) throws -> LoopTimer {
    var wait = Duration.milliseconds(5)
    while true {
        let timer = loop.schedule(after: wait) {
            log.append(name)
            loop.stop()
        }
        let end = loop.schedule(after: .zero) { loop.stop() }
        try loop.run()
        end.cancel()
        if log.isEmpty { return timer }
        log = []
        wait *= 2
    }
}

/// A timerfd that is set at the fork; the child sets its own to something else.
@MainActor func timers() throws {
    let loop = try MainLoop()
    let late = try setTimer("late", on: loop)
    forkAway()
    if isChild {
        try loop.reinitAfterFork()
        late.cancel()
        loop.schedule(after: .milliseconds(1)) {
            log.append("early")
            loop.stop()
        }
    }
    try loop.run()
    if isChild {
        loop.schedule(after: .zero) { loop.stop() }
        try loop.run()  // with no timer left it's switched off
    }
}

/// A timer that neither touches fires in both.
@MainActor func sameTimer() throws {
    let loop = try MainLoop()
    _ = try setTimer("timer", on: loop)
    forkAway()
    if isChild { try loop.reinitAfterFork() }
    try loop.run()
}

/// Notes how a job has ended.
@MainActor func note(_ key: Int, _ end: JobEnd) {
    switch end {
    case .done: log.append("\(key) done")
    case .failed(let error): log.append("\(key): \(error)")
    default: log.append("\(key) wrong")
    }
}

/// Forks while a thread is inside a job, which goes on in the parent afterwards.
@MainActor func forkDuringWork(of loop: MainLoop, begun: Int32, gate: Int32) throws {
    take(from: begun)
    forkAway()
    if isChild {
        try loop.reinitAfterFork()
    } else {
        put(into: gate)
    }
}

/// Work that is on a worker at the fork, and such that waits for one.
@MainActor func workers() throws {
    let loop = try MainLoop()
    let queue = IdleQueue<Int>(on: loop)
    let pool = try WorkerPool(width: 1, on: loop)
    let (begun, gate) = (makePipe(), makePipe())
    func submit(
        _ key: Int, then: @escaping () -> Void = {}, work: @escaping @Sendable () -> Void
    ) {
        queue.submit(
            key, on: pool,
            onEnd: { end in
                note(key, end)
                then()
            }, work: work
        ) { _ in { _ in .done } }
    }
    submit(1) {
        put(into: begun.writing)
        take(from: gate.reading)
    }
    submit(2) {}
    try forkDuringWork(of: loop, begun: begun.reading, gate: gate.writing)
    submit(3, then: { loop.stop() }) {}
    try loop.run()
    log.append(queue.statistics.isConserved ? "conserved" : "\(queue.statistics)")
}

/// A job that a lane has at the fork, and such that wait for one.
@MainActor func lanes() throws {
    guard Processors.usable > 1 else {
        print("no lanes")
        exit(0)
    }
    let loop = try MainLoop()
    var configuration = QueueConfiguration()
    configuration.lanes = .atMost(1)
    let queue = IdleQueue<Int>(on: loop, configuration: configuration)
    let (begun, gate) = (makePipe(), makePipe())
    func submit(_ key: Int, _ body: @escaping @Sendable () -> Void = {}) {
        queue.submit(
            key,
            onEnd: { end in
                note(key, end)
                if log.count == 4 { loop.stop() }
            },
            anywhere: { _ in
                body()
                return .done
            })
    }
    submit(1) {
        put(into: begun.writing)
        take(from: gate.reading)
    }
    for key in 2...3 { submit(key) }
    try forkDuringWork(of: loop, begun: begun.reading, gate: gate.writing)
    submit(4)
    try loop.run()
    log.sort()  // on a busy machine the loop runs some
    log.append(queue.statistics.isConserved ? "conserved" : "\(queue.statistics)")
}

/// What waits at the fork, and what comes after it: posts, jobs, a timer, and a descriptor that both
/// watch until one does no more.
@MainActor func own() throws {
    let loop = try MainLoop()
    try runApart(
        loop, reinit: {},
        run: {
            loop.observe(.beforeIdle) { _ in if log.count == (isChild ? 8 : 9) { loop.stop() } }
            try loop.run()
        })
}

/// All of that on a host's base.
@MainActor func adopted() throws {
    let config = unsafe event_config_new()
    unsafe event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
    let base = unsafe event_base_new_with_config(config)
    unsafe try runApart(
        MainLoop(adopting: base), reinit: { unsafe event_reinit(base) },
        run: { precondition(unsafe event_base_dispatch(base) == 1, "nothing is left") })
}

/// All of that with a loop whose descriptor is polled.
@MainActor func polled() throws {
    let host = try DescriptorHost()
    let loop = try MainLoop(on: host)
    try runApart(
        loop, reinit: {},
        run: {
            while loop.isPending {
                var ready = pollfd(fd: host.descriptor, events: Int16(POLLIN), revents: 0)
                precondition(unsafe poll(&ready, 1, 10_000) == 1, "something is ready in time")
                host.process()
            }
        })
}

@MainActor func runApart(
    _ loop: MainLoop, reinit: () -> Void, run: () throws -> Void
) throws {
    let queue = IdleQueue<Int>(on: loop)
    let pipe = makePipe()
    var watch: Watch?
    watch = try loop.watch(pipe.reading, for: .readable) { _ in
        take(from: pipe.reading)
        log.append("read")
        watch?.cancel()
    }
    let port = loop.port { log.append($0) }
    port.send("from before")
    queue.submit(0) { _ in
        log.append("waiting job")
        return .done
    }
    loop.schedule(after: .milliseconds(5)) {
        log.append("timer")
        queue.submit(1) { _ in
            log.append("job")
            return .done
        }
    }
    DispatchQueue.main.async { log.append("block") }
    Task { @MainActor in log.append("task from before") }
    forkAway()
    if isChild {
        reinit()
        try loop.reinitAfterFork()
    }
    Task { @MainActor in log.append("task") }
    port.send("my own")
    put(into: pipe.writing)
    try run()
    log.sort()  // what is ready at once comes in any order
}

// MARK: - Few descriptors

/// Uses up all descriptors but so many.
func exhaustDescriptors(leaving count: Int = 0) {
    var limit = rlimit(rlim_cur: 200, rlim_max: 200)
    unsafe setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
    var copies: [Int32] = []
    while case let copy = dup(0), copy >= 0 { copies.append(copy) }
    for descriptor in copies.suffix(count) { close(descriptor) }
}

func freeDescriptors() -> Int {
    var copies: [Int32] = []
    while case let copy = dup(0), copy >= 0 { copies.append(copy) }
    for copy in copies { close(copy) }
    return copies.count
}

/// Makes a loop where there are fewer and fewer descriptors left, or a guest of a polling host.
func fewDescriptors(asGuest: Bool) throws {
    let most = asGuest ? 10 : 8
    try MainLoop().close()  // the main queue's descriptor is open from the first loop on
    exhaustDescriptors(leaving: most)
    for left in (0..<most).reversed() {
        close(dup(0))
        let descriptor = dup(0)
        precondition(descriptor >= 0 && freeDescriptors() == left, "so many are left")
        do {
            if asGuest {
                let host = try DescriptorHost()
                try MainLoop(on: host).close()
            } else {
                let loop = try MainLoop()
                loop.schedule(after: .zero) { loop.stop() }
                try loop.run()
                loop.close()
            }
            print("\(left): a loop")
        } catch {
            print("\(left): \(error)")
        }
        precondition(freeDescriptors() == left, "nothing is left open")
    }
}

/// Goes on with a loop where there are none.
@MainActor func noDescriptors() throws {
    let loop = try MainLoop()
    let queue = IdleQueue<Int>(on: loop)
    let pool = try WorkerPool(width: 2, on: loop)
    let pipe = makePipe()
    exhaustDescriptors()
    do {
        try loop.watch(child: getppid()) { _ in }
    } catch {
        print("no child: \(error)")
    }
    do {
        _ = try WorkerPool(width: 1, on: loop)
    } catch {
        print("no pool: \(error)")
    }
    var (reads, results) = (0, 0)
    func again() { loop.schedule(after: .microseconds(200)) { put(into: pipe.writing) } }
    try loop.watch(pipe.reading, for: .readable) { _ in
        take(from: pipe.reading)
        reads += 1
        queue.submit(reads, on: pool, work: {}) { _ in
            { _ in
                results += 1
                if reads == 20 { loop.stop() } else { again() }
                return .done
            }
        }
    }
    again()
    try loop.run()
    print("\(reads) reads, \(results) results")
    // Few for each read, timer, arrival and job.
    let polls = loop.statistics.polls
    print(polls < 20 * 10 ? "no spinning" : "\(polls) polls")
}

// MARK: - The main queue

/// A loop that serves the main queue.
@MainActor func mainQueue() throws {
    let loop = try MainLoop()
    try loop.serveMainQueue()
    var isDue = false
    var wasSeen = false
    func later() {
        // It's run on each wake-up, so that the timer has its turn, too.
        guard isDue else { return DispatchQueue.main.async { later() } }
        print("timer")
        wasSeen = true
    }
    loop.schedule(after: .zero) { isDue = true }
    DispatchQueue.main.async { print("first") }
    DispatchQueue.main.async { later() }
    let task = Task { @MainActor in
        print("task")
        let number = await sumElsewhere()
        while !wasSeen { await Task.yield() }
        print("back with \(number)")
        await withCheckedContinuation { continuation in
            let code = startThread { elsewhere { continuation.resume() } }
            precondition(code == 0, "a thread can be started")
        }
        loop.schedule(after: .milliseconds(1)) { loop.stop() }
    }
    try loop.run()
    precondition(task.isCancelled == false, "the task has ended by itself")
    print("stopped")
}

@concurrent func sumElsewhere() async -> Int { (1...10).reduce(0, +) }

/// Tries to serve the main queue on another thread, and says on the main one how that went.
func elsewhere(_ done: @escaping @Sendable () -> Void) {
    do {
        let loop = try MainLoop()
        defer { loop.close() }
        try loop.serveMainQueue()
    } catch {
        let text = "\(error)"
        DispatchQueue.main.async { print(text) }
    }
    DispatchQueue.main.async { done() }
}

// MARK: - The scenes

// Who waits for what doesn't come is ended, also if started from a thread that blocks signals.
var none = sigset_t()
unsafe sigemptyset(&none)
unsafe sigprocmask(SIG_SETMASK, &none, nil)
alarm(600)
switch CommandLine.arguments.last {
case "own": try own()
case "timers": try timers()
case "same-timer": try sameTimer()
case "workers": try workers()
case "lanes": try lanes()
case "adopted": try adopted()
case "polled": try polled()
case "main-queue":
    try mainQueue()
    exit(0)
case "few-descriptors":
    try fewDescriptors(asGuest: false)
    exit(0)
case "few-descriptors-for-a-guest":
    try fewDescriptors(asGuest: true)
    exit(0)
case "no-descriptors":
    try noDescriptors()
    exit(0)
case "cancelled-waits", "a-million-cancelled-waits":
    let count = CommandLine.arguments.last == "cancelled-waits" ? 100_000 : 1_000_000
    if count == 1_000_000 { alarm(0) }  // it's run by hand
    for wait in CancelledWaits.Wait.allCases { try CancelledWaits(for: wait, count: count).run() }
    exit(0)
default: exit(64)
}
finish()
