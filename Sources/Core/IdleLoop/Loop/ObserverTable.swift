/// A loop's observers by activity, each list in the order of calls.
struct ObserverTable {
    private var entry: [Observer] = []
    private var beforeIdle: [Observer] = []
    private var afterIdle: [Observer] = []
    private var exit: [Observer] = []
    /// The observers that do work before idle.
    private(set) var workers: [Observer] = []
    /// The share of the worker that worked last, from which a worker that was resting starts.
    var present: Int64 = 0

    /// The activities that have observers.
    private(set) var noted: Activity = []
    /// The only worker, if there is exactly one: a queue, or a callback.
    private(set) var onlyQueue: Observer.UnownedQueue?
    private(set) var onlyWork: (body: Observer.Work, modes: LoopMode)?

    /// Whether there are no observers of idle passes.
    var isIndifferentToIdle: Bool { beforeIdle.isEmpty && workers.isEmpty }

    /// The queues among the workers.
    var queues: [JobQueue] { workers.compactMap { $0.queue } }

    /// All observers; one that observes several activities is listed several times.
    var all: [Observer] { entry + beforeIdle + afterIdle + exit + workers }

    func list(for activity: Activity) -> [Observer] {
        switch activity {
        case .entry: entry
        case .beforeIdle: beforeIdle
        case .afterIdle: afterIdle
        default: exit
        }
    }

    mutating func add(_ observer: Observer) {
        defer { sum() }
        if observer.isWorker {
            insert(observer, into: &workers)
            return
        }
        if observer.activities.contains(.entry) { insert(observer, into: &entry) }
        if observer.activities.contains(.beforeIdle) { insert(observer, into: &beforeIdle) }
        if observer.activities.contains(.afterIdle) { insert(observer, into: &afterIdle) }
        if observer.activities.contains(.exit) { insert(observer, into: &exit) }
    }

    mutating func remove(_ observer: Observer) {
        entry.removeAll { $0 === observer }
        beforeIdle.removeAll { $0 === observer }
        afterIdle.removeAll { $0 === observer }
        exit.removeAll { $0 === observer }
        workers.removeAll { $0 === observer }
        sum()
    }

    private mutating func sum() {
        noted = []
        if !entry.isEmpty { noted.insert(.entry) }
        if !beforeIdle.isEmpty { noted.insert(.beforeIdle) }
        if !afterIdle.isEmpty { noted.insert(.afterIdle) }
        if !exit.isEmpty { noted.insert(.exit) }
        onlyQueue = nil
        onlyWork = nil
        guard workers.count == 1 else { return }
        switch workers[0].body {
        case .queue(let queue): onlyQueue = queue
        case .work(let work): onlyWork = (work, workers[0].modes)
        case .note, .turn, .none: break
        }
    }

    private func insert(_ observer: Observer, into list: inout [Observer]) {
        let index = list.firstIndex { $0.order > observer.order } ?? list.endIndex
        list.insert(observer, at: index)
    }

    /// Returns the worker whose turn it is: of those not tried in this pass, the one that has had
    /// the least time for its weight, the first in order of equals.
    func nextWorker(in mode: LoopMode, pass: Int) -> Observer? {
        var best: Observer?
        for worker in workers where worker.triedIn != pass {
            guard worker.modes.contains(mode) else {
                worker.isResting = true
                continue
            }
            if let least = best?.share, least <= worker.share { continue }
            best = worker
        }
        return best
    }
}
