internal import IdleLoop
internal import TestSupport

/// A random program of public calls of loops and what is on them, also from inside callbacks, and in
/// any order of closing and letting go.
public final class LoopProgram {
    let choices: Choices
    let live = LiveObjects()
    let pipe = NonblockingPipe()
    let laws: Laws
    /// Makes the hosts that loops may be guests of, or gives one again.
    let makeHosts: [() -> any ProgramHost]
    /// Those that loops were guests of.
    var hosts: [any ProgramHost] = []
    /// What was promised to be called once.
    private var promises: [Promise] = []
    /// What is over, and should be held by nobody when no callback is under way.
    private var over: [WeakObject] = []
    /// Whether what callbacks hold acts as it's let go of.
    private var hasLastWords = false
    /// How deep the program is inside of callbacks.
    private(set) var depth = 0

    var homes: [Home] = []
    /// All loops that were made and are still there.
    var loops: [WeakLoop] = []
    var queues: [IdleQueue<String>] = []
    /// Of the last jobs that were handed in, to any queue.
    var tokens: [IdleJob] = []
    var observers: [(observer: any CallbackToken, registration: WeakRegistration)] = []
    var timers: [(loop: WeakLoop, timer: LoopTimer, registration: WeakRegistration)] = []
    var frames: [(source: FrameSource, registration: WeakRegistration)] = []
    var watches: [(watch: Watch, registration: WeakRegistration)] = []
    var ports: [(loop: WeakLoop, port: InboxPort<Int>, registration: WeakRegistration)] = []
    var workers: [(loop: WeakLoop, pool: WorkerPool)] = []
    var operators: [(loop: WeakLoop, pool: OperationPool)] = []
    /// Whether a queue's jobs may wait for a loop that nobody drives any more.
    var waitsElsewhere = false
    var completions: [OperationCompletion<Int>] = []
    var executors: [LoopExecutor] = []

    private struct WeakObject { weak var it: AnyObject? }
    struct WeakRegistration { weak var it: Registration? }
    struct WeakLoop { weak var it: MainLoop? }

    private init(
        _ choices: Choices, _ makeHosts: [() -> any ProgramHost],
        report: @escaping (String) -> Void
    ) {
        self.choices = choices
        self.makeHosts = makeHosts
        laws = Laws(report: report)
    }

    /// Runs the program that the choices make, whose loops may be guests of hosts, and reports the first
    /// law that it finds broken.
    public static func run(
        _ choices: Choices, on hosts: [() -> any ProgramHost], report: @escaping (String) -> Void
    ) {
        LoopProgram(choices, hosts, report: report).run()
    }

    /// Reports a law unless it holds.
    func expect(_ holds: Bool, _ law: @autoclosure () -> String) { laws.expect(holds, law()) }

    /// Runs the program to its end, and checks that nothing is owed or left then.
    private func run() {
        let ending = choices.byte()
        hasLastWords = ending & 128 != 0
        makeLoop()
        makeQueue()
        while !choices.areOver { act() }
        if ending & 1 == 1 { drain() }
        letGo(inOrder: Int(ending >> 1))
        reap()
        for host in hosts { for _ in 0..<3 { host.dispatch() } }
        expect(promises.allSatisfy(\.isKept), "what was promised is called once")
        expect(live.count == 0, "nothing is held that was let go of")
        expect(loops.allSatisfy { $0.it == nil }, "a loop that was let go of is gone")
        expect(hosts.allSatisfy(\.isEmpty), "nothing is left on a host")
    }

    // MARK: - Steps

    /// Makes one call.
    func act() {
        switch choices.number(below: 12) {
        case 0: actOnLoop()
        case 1: drive()
        case 2, 3, 4: submit()
        case 5, 6: actOnQueue()
        case 7: actOnObserver()
        case 8: actOnTimer()
        case 9: actOnDescriptor()
        case 10: actOnPool()
        default: actOnInbox()
        }
        check()
    }

    /// What is done inside of a callback.
    func callback() {
        guard !choices.areOver else { return }
        depth += 1
        for _ in 0..<choices.number(below: 4) { act() }
        depth -= 1
    }

    /// What is done as something is let go of.
    func lastWord() {
        if hasLastWords { callback() }
    }

    /// Checks what must hold between any two calls.
    private func check() {
        for queue in queues {
            queue.checkInvariants()
            if depth == 0, queue.loop.isClosed {
                expect(queue.isEmpty, "the jobs of a loop end with it")
            }
        }
        guard depth == 0 else { return }
        expect(over.allSatisfy { $0.it == nil }, "what is over is let go of at once")
        over = []
    }

    // MARK: - What is owed

    func promise() -> Promise {
        let promise = Promise(laws)
        promises.append(promise)
        return promise
    }

    /// Notes that a callback must not be called any more, nor be held.
    func end(_ registration: Registration?) {
        guard let registration else { return }
        registration.end()
        noteEnd(of: registration)
    }

    /// Notes that an object must not be held any more.
    func noteEnd(of object: AnyObject) { over.append(WeakObject(it: object)) }

    // MARK: - The end

    /// Has everything come to its end that can, and checks that it has.
    private func drain() {
        for timer in timers {
            timer.timer.cancel()
            end(timer.registration.it)
        }
        for frame in frames {
            frame.source.cancel()
            end(frame.registration.it)
        }
        for watch in watches {
            watch.watch.cancel()
            end(watch.registration.it)
        }
        for home in homes { home.loop.expectFrame(at: .distantFuture) }
        // A job of one loop may wait for a pool of another, and for the mode of its queue.
        for round in 0..<100 {
            let completions = completions
            for completion in completions { completion(.success(0)) }
            for home in homes {
                home.loop.mode = round & 1 == 0 ? .default : .tracking
                home.drive(for: nil)
            }
            if areAtRest { return checkRest() }
        }
        // What would be over after the end of time never is.
        let isTimeOver = homes.contains {
            $0.loop.clock.now.advanced(by: .seconds(7200)) == .distantFuture
        }
        expect(waitsElsewhere || isTimeOver, "loops come to rest without a job")
    }

    /// Checks that loops without a job, a timer and a watch wait for nothing.
    private func checkRest() {
        for home in homes where home.isVirtual && !home.loop.isClosed {
            let before = home.loop.statistics.sleeps
            home.drive(for: nil)
            expect(home.loop.statistics.sleeps == before, "a loop at rest isn't woken")
        }
    }

    /// Whether no loop has jobs.
    private var areAtRest: Bool {
        queues.allSatisfy { queue in
            queue.isEmpty || !homes.contains { $0.loop === queue.loop }
        }
    }

    /// Lets go of all that there is, in an order that begins somewhere.
    private func letGo(inOrder first: Int) {
        let steps: [() -> Void] = [
            { _ = self.homes.take() }, { _ = self.queues.take() }, { _ = self.observers.take() },
            { _ = self.tokens.take() }, { _ = self.timers.take() }, { _ = self.frames.take() },
            { _ = self.watches.take() },
            { _ = self.ports.take() }, { _ = self.workers.take() },
            { _ = self.operators.take() }, { _ = self.completions.take() },
        ]
        for place in steps.indices { steps[(place + first) % steps.count]() }
    }

    /// Has tasks go on that a loop has left behind, or that keep theirs.
    private func reap() {
        guard !executors.isEmpty else { return }
        for loop in loops { loop.it?.close() }
        for executor in executors {
            let home = Home(.virtual(VirtualTime()), inboxCapacity: 8, laws)
            try? home.loop.serve(executor)
            home.drive(for: nil)
            home.loop.close()
        }
    }
}

extension Array {
    /// Lets go of all elements, when the array can be changed again: what they hold may do so.
    mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
