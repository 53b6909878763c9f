import IdleLoop
import Workloads

/// M8: what an operation costs with so many jobs waiting, in nanoseconds.
///
/// The same million operations for each size: a small queue is filled and emptied many times. Keys
/// come in random order, with random priorities and ranks; each job has a closure with a context.
func waitingJobs() throws(LoopError) {
    for (size, name) in [(100, "n=100"), (10_000, "n=10000"), (1_000_000, "n=1000000")] {
        let data = JobData(count: size)
        var total = Costs()
        let rounds = max(1, (isQuick ? 200_000 : 1_000_000) / size)
        var configuration = QueueConfiguration()
        configuration.limit = size
        let loop = try MainLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        _ = try run(data, on: loop, queue)  // the memory is there from now on
        for _ in 0..<rounds { total.add(try run(data, on: loop, queue)) }
        queue.close()
        let count = Double(rounds * size)
        report("M8", name, "submit_ns", total.submit / count)
        report("M8", name, "raise_ns", total.raise / count)
        report("M8", name, "cancel_ns", total.cancel / count * 2)
        report("M8", name, "drain_ns", total.drain / count * 2)
        let sum = total.submit + total.raise + total.cancel + total.drain
        report("M8", name, "all_ns", sum / (3 * count))
    }
}

private struct Costs {
    var submit = 0.0, raise = 0.0, cancel = 0.0, drain = 0.0

    mutating func add(_ other: Costs) {
        submit += other.submit
        raise += other.raise
        cancel += other.cancel
        drain += other.drain
    }
}

private struct JobData {
    let keys: [Int]
    let order: [Int]
    let priorities: [Priority]
    let raised: [Priority]
    let ranks: [Int]

    init(count: Int) {
        var random = SplitMix64(seed: 8)
        keys = (0..<count).shuffled(using: &random)
        order = (0..<count).shuffled(using: &random)
        let all = Priority.allCases
        priorities = keys.map { _ in all[Int(random.next() % 6)] }
        raised = keys.map { _ in all[Int(random.next() % 6)] }
        ranks = keys.map { _ in Int(random.next() % 1000) }
    }
}

/// Hands in all jobs, moves all, cancels half of them and has the others run.
private func run(
    _ data: JobData, on loop: MainLoop, _ queue: IdleQueue<Int>
) throws(LoopError) -> Costs {
    let count = data.keys.count
    var costs = Costs()
    var done = 0
    var start = now()
    for index in 0..<count {
        let rank = data.ranks[index]
        queue.submit(data.keys[index], priority: data.priorities[index], rank: rank) { _ in
            done += rank & 1
            return .done
        }
    }
    var end = now()
    costs.submit = Double(end - start)
    start = end
    for index in 0..<count {
        let key = data.order[index]
        queue.reprioritize(key, priority: data.raised[index], rank: data.ranks[index])
    }
    end = now()
    costs.raise = Double(end - start)
    start = end
    for index in 0..<count / 2 { queue.cancel(data.order[index]) }
    end = now()
    costs.cancel = Double(end - start)
    let last = loop.beforeIdle(order: 2_000_000) { _ in
        if queue.isEmpty { loop.stop() }
        return .nothing
    }
    start = now()
    try loop.run()
    end = now()
    last.cancel()
    costs.drain = Double(end - start)
    return costs
}
