import IdleLoop
import TestSupport

/// A queue of random jobs, tasks and such in slices, that are handed in, taken back and dropped at
/// random, with a log of all that happens.
final class AsyncJobWorld {
    struct Trouble: Error {}

    private let bench: QueueBench
    private var random: SplitMix64
    /// How often each request was told of its end.
    private var ends: [Int] = []
    private var begun = 0
    private var over = 0
    /// What didn't hold.
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        bench = try QueueBench { configuration in
            configuration.limit = Int.random(in: 2...6, using: &random)
            configuration.overflow =
                [.dropLeastUrgent, .dropOldest, .dropNewest, .reject]
                .randomElement(using: &random) ?? .reject
            configuration.batch = .microseconds(Bool.random(using: &random) ? 0 : 50)
        }
        self.random = random
    }

    /// Lets it all happen, and gives the log.
    func play() throws -> [String] {
        schedule(70)
        try bench.run()
        check(begun == over, "\(begun) tasks have begun, and \(over) ended")
        check(bench.queue.isEmpty, "nothing is left in the queue")
        for (number, count) in ends.enumerated() {
            check(count == 1, "request \(number) ended \(count) times")
        }
        bench.loop.close()
        return bench.log
    }

    private func schedule(_ left: Int) {
        bench.loop.schedule(after: .microseconds(number(3000))) {
            self.act(left)
            if left > 0 { self.schedule(left - 1) }
        }
    }

    private func act(_ left: Int) {
        switch number(20) {
        case 0..<10: submitTask()
        case 10..<14: submitSlices()
        case 14..<17: bench.queue.cancel(key())
        case 17: bench.loop.mode = bench.loop.mode == .default ? .tracking : .default
        case 18 where left < 20 && number(3) == 0: end()
        case 19 where number(4) == 0: bench.queue.cancelAll()
        default: bench.queue.reprioritize(key(), priority: priority())
        }
        bench.queue.checkInvariants()
    }

    /// The end of the queue, at once or within some time.
    private func end() {
        guard number(2) == 0 else { return bench.queue.close() }
        bench.queue.shutDown(within: .milliseconds(number(20))) { report in
            self.note("report \(report.finished) \(report.failed) \(report.returned)")
        }
    }

    // MARK: - Jobs

    private func submitSlices() {
        var left = number(4)
        let key = key()
        let told = request(key)
        let job = bench.queue.submit(key, priority: priority(), onEnd: told) { slot in
            self.note("\(key) runs")
            self.bench.time.charge(.microseconds(self.number(2500)))
            left -= 1
            if self.number(10) == 0 { throw Trouble() }
            return left < 0 ? .done : .again
        }
        if job.submission == .rejected { ends[ends.count - 1] += 1 }
    }

    private func submitTask(_ key: String? = nil) {
        let key = key ?? self.key()
        let number = ends.count
        let told = request(key)
        let timeout = self.number(4) == 0 ? Duration.milliseconds(self.number(20)) : nil
        let job = bench.queue.submit(
            key, priority: priority(), kind: self.number(3) == 0 ? "task" : nil, timeout: timeout,
            onEnd: told
        ) { slot in
            self.begun += 1
            self.note("\(number) begins")
            defer {
                self.over += 1
                self.note("\(number) is over")
            }
            for _ in 0...self.number(6) {
                try await self.step(number, key, slot)
                self.check(self.ends[number] == 0 || Task.isCancelled, "\(number) runs on")
            }
        }
        if job.submission == .rejected { ends[number] += 1 }
    }

    private func step(_ number: Int, _ key: String, _ slot: TaskSlot) async throws {
        let kind = self.number(16)
        note("\(number) step \(kind)")
        let (loop, clock) = (bench.loop, bench.loop.taskClock)
        let nap = Duration.microseconds(self.number(4000))
        switch kind {
        case 0..<5:
            bench.time.charge(nap)
            try await slot.checkpoint()
        case 5, 6: try await clock.sleep(for: nap)
        case 7: await Task.yield()
        case 8: _ = await loop.idle()
        case 9: for await _ in loop.ticks(every: .milliseconds(1) + nap) { break }
        case 10:
            async let one: Void = clock.sleep(for: nap)
            async let two: Void = clock.sleep(for: nap * 2)
            _ = try await (one, two)
        case 11:
            await withCheckedContinuation { continuation in
                loop.schedule(after: nap) { continuation.resume() }
            }
        case 12: bench.queue.cancel(self.number(2) == 0 ? key : self.key())
        case 13: submitTask(self.number(2) == 0 ? key : nil)
        case 14:
            let task = loop.task {
                _ = await loop.idle()
                try await clock.sleep(for: nap)
            }
            if self.number(2) == 0 { task.cancel() }
            _ = await task.result
        default: if self.number(3) == 0 { throw Trouble() }
        }
        bench.queue.checkInvariants()
        // It goes on in a lull of its own, if its job is still there.
        guard ends[number] == 0, !Task.isCancelled, kind < 12 else { return }
        check(!slot.isOver, "\(number) went on outside a lull")
    }

    // MARK: - What is noted

    private func request(_ key: String) -> (JobEnd) -> Void {
        let number = ends.count
        ends.append(0)
        return { end in
            self.ends[number] += 1
            self.note("\(number) \(key) \(end.word)")
            self.bench.queue.checkInvariants()
        }
    }

    private func note(_ text: String) {
        bench.note("\(bench.time.now.nanoseconds) \(text)")
    }

    private func check(_ holds: Bool, _ law: @autoclosure () -> String) {
        if !holds { faults.append("\(bench.time.now.nanoseconds) \(law())") }
    }

    private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func key() -> String { String(number(8)) }

    private func priority() -> Priority {
        [.highest, .normal, .lowest].randomElement(using: &random) ?? .normal
    }
}
