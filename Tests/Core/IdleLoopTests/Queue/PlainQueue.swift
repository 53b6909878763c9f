import IdleLoop
import TestSupport

/// What can be asked of a queue, as a value, so that two queues can be asked the same.
enum Request {
    case submit(PlainJob)
    case reprioritize(Int, Priority, rank: Int)
    case cancel(Int)
    case cancelEachThird(Int)
    case cancelAll
}

/// A job as a value: what each of its runs asks of its queue and says of itself.
struct PlainJob {
    enum Outcome: CaseIterable { case done, again, skipped, failed }

    let key: Int
    /// Those who asked for it, by number.
    var requests: [Int]
    /// How many were handed in before it.
    var age = 0
    var priority: Priority
    var rank: Int
    var cost: Int?
    /// Whether it has had a slice, so that it goes on before others of its priority.
    var hasBegun = false
    var runs: [(requests: [Request], outcome: Outcome)]

    mutating func join(_ other: PlainJob) {
        requests += other.requests
        priority = other.priority
        rank = other.rank
        cost = other.cost ?? cost
    }
}

/// What an idle queue should do, in as few words as possible: an array that is searched.
struct PlainQueue {
    let limit: Int
    var jobs: [PlainJob] = []
    var running: PlainJob?
    var isRunningCancelled = false
    var successor: PlainJob?
    var log: [String] = []
    /// How many jobs ended each way.
    var ends: [String: Int] = [:]
    var submitted = 0

    private func index(of key: Int) -> Int? { jobs.firstIndex { $0.key == key } }

    /// Of which priorities one more job would cause no other of them, or above, to be dropped: now, and
    /// when the running job comes back.
    var rooms: [Priority] {
        Priority.allCases.filter { priority in
            var waiting = jobs.map(\.priority) + [priority]
            guard drop(from: &waiting, below: priority) else { return false }
            if let running { waiting.append(running.priority) }
            return drop(from: &waiting, below: priority)
        }
    }

    /// Drops the least of those that wait if it's one too many; returns whether it was below another.
    private func drop(from waiting: inout [Priority], below priority: Priority) -> Bool {
        guard waiting.count > limit, let least = waiting.min() else { return true }
        waiting.remove(at: waiting.firstIndex(of: least) ?? 0)
        return least < priority
    }

    private mutating func end(_ job: PlainJob, _ word: String) {
        ends[word, default: 0] += 1
        for request in job.requests { log.append("\(request) \(word)") }
    }

    private mutating func remove(_ key: Int) -> PlainJob? {
        return index(of: key).map { jobs.remove(at: $0) }
    }

    /// Whether the request was one that can be heeded.
    @discardableResult
    mutating func perform(_ request: Request) -> Int {
        switch request {
        case .submit(var job):
            job.age = submitted
            submitted += 1
            submit(job)
            return 0
        case .reprioritize(let key, let priority, let rank):
            return reprioritize(key, priority, rank)
        case .cancel(let key): return cancel { $0 == key }
        case .cancelEachThird(let rest): return cancel { $0 % 3 == rest }
        case .cancelAll: return cancel { _ in true }
        }
    }

    private mutating func submit(_ job: PlainJob) {
        if running?.key == job.key {
            if successor == nil { successor = job } else { successor?.join(job) }
        } else if let index = index(of: job.key) {
            jobs[index].join(job)
        } else {
            jobs.append(job)
            makeRoom()
        }
    }

    /// Drops what there's no room for.
    private mutating func makeRoom() {
        while jobs.count > limit {
            let victim = jobs.min { ($0.priority, $0.age) < ($1.priority, $1.age) }
            guard let victim, let job = remove(victim.key) else { return }
            end(job, "dropped")
        }
    }

    private mutating func reprioritize(_ key: Int, _ priority: Priority, _ rank: Int) -> Int {
        if running?.key == key {
            running?.priority = priority
            running?.rank = rank
            return 1
        }
        guard let index = index(of: key) else { return 0 }
        jobs[index].priority = priority
        jobs[index].rank = rank
        return 1
    }

    private mutating func cancel(where fits: (Int) -> Bool) -> Int {
        let victims = jobs.filter { fits($0.key) }.sorted { $0.age < $1.age }
        for job in victims {
            _ = remove(job.key)
            end(job, "cancelled")
        }
        guard let running, fits(running.key) else { return victims.count }
        let isNews = !isRunningCancelled || successor != nil
        if let successor { end(successor, "cancelled") }
        successor = nil
        isRunningCancelled = true
        return victims.count + (isNews ? 1 : 0)
    }

    /// Runs a job, or a slice of one.
    mutating func runOne() {
        let first = jobs.min { a, b in
            guard a.priority == b.priority else { return a.priority > b.priority }
            guard a.hasBegun == b.hasBegun else { return a.hasBegun }
            guard a.rank == b.rank else { return a.rank < b.rank }
            return a.hasBegun ? a.age > b.age : a.age < b.age
        }
        guard let key = first?.key, let index = index(of: key) else { return }
        var job = jobs.remove(at: index)
        log.append("\(key) runs")
        let run = job.runs.removeFirst()
        running = job
        isRunningCancelled = false
        for request in run.requests { perform(request) }
        log.append("\(rooms)")
        guard var job = running else { return }
        running = nil
        let next = successor
        successor = nil
        if run.outcome == .again, !isRunningCancelled {
            job.hasBegun = true
            jobs.append(job)
            if let next, let index = self.index(of: key) { jobs[index].join(next) }
            return makeRoom()
        }
        // What follows has its place before anybody is told.
        let word = run.outcome == .again ? "cancelled" : "\(run.outcome)"
        if let next { jobs.append(next) }
        end(job, word)
        makeRoom()
    }
}

extension PlainJob {
    /// A job that asks for so many things in its runs, which may themselves be jobs.
    static func random(
        number: inout Int, nesting: Int, using random: inout SplitMix64
    ) -> PlainJob {
        number += 1
        let id = number
        var runs: [(requests: [Request], outcome: Outcome)] = []
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let requests = Request.some(number: &number, nesting: nesting, using: &random)
            runs.append((requests, .again))
        }
        let last = Int.random(in: 0..<6, using: &random)
        let outcome: Outcome = last == 0 ? .skipped : last == 1 ? .failed : .done
        let requests = Request.some(number: &number, nesting: nesting, using: &random)
        runs.append((requests, outcome))
        return PlainJob(
            key: .random(in: 0..<16, using: &random), requests: [id],
            priority: Priority.allCases.randomElement(using: &random) ?? .normal,
            rank: .random(in: 0..<4, using: &random),
            cost: Bool.random(using: &random) ? .random(in: 0...10, using: &random) : nil,
            runs: runs)
    }
}

extension Request {
    /// Anything that can be asked, most often for a job.
    static func random(
        number: inout Int, nesting: Int, using random: inout SplitMix64
    ) -> Request {
        let key = Int.random(in: 0..<16, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return .cancelAll
        case 1...2: return .cancelEachThird(key % 3)
        case 3...6: return .cancel(key)
        case 7...11:
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            return .reprioritize(key, priority, rank: .random(in: 0..<4, using: &random))
        default:
            return .submit(.random(number: &number, nesting: nesting, using: &random))
        }
    }

    /// What a run asks for: mostly nothing.
    fileprivate static func some(
        number: inout Int, nesting: Int, using random: inout SplitMix64
    ) -> [Request] {
        guard nesting > 0, Int.random(in: 0..<3, using: &random) == 0 else { return [] }
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in
            .random(number: &number, nesting: nesting - 1, using: &random)
        }
    }
}
