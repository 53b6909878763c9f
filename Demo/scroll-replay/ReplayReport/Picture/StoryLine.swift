internal import DeferredLoading
internal import IdleLoop

/// One line of a row's history: a code with its numbers, a time and a reason.
struct StoryLine: Equatable {
    /// The kind of line; the page's script and the drawings put it into words.
    enum Code: Int {
        /// Wanted: urgency, rank.
        case wanted
        /// Moved: urgency before, urgency, rank, how many steps.
        case moved
        /// No longer wanted: 0 nothing done, 1 being fetched, 2 fetched, 3 begun, 4 loaded; µs
        /// spent.
        case unwanted
        /// Rejected by a full queue.
        case rejected
        /// Fetched: its duration in µs.
        case fetched
        /// Begun on the loop.
        case begun
        /// Finished: its cost on the loop in µs.
        case finished
        /// Failed; the reason is the error.
        case failed
        /// Invalidated by a change of its content.
        case invalidated
        /// Evicted to make room for others.
        case evicted
        /// Wanted by more or fewer lists than before: how many.
        case shared
        /// No longer wanted, but nearly done; the numbers are those of `unwanted`.
        case kept
        /// Not kept for lack of memory.
        case memoryBlocked
        /// Preview available.
        case refined
        /// Failed for now: the time of the retry, in µs.
        case retrying
        /// Retried.
        case retried
    }

    var code: Code
    /// The time in nanoseconds; of several steps, that of the last.
    var time: Int64
    /// The numbers, as many as the code has.
    var numbers: [Int]
    /// The reason.
    var reason: String?

    init(_ decision: LoadDecision<Int>) {
        time = decision.time.nanoseconds
        reason = decision.reason
        switch decision.kind {
        case .wanted(let urgency, let rank): (code, numbers) = (.wanted, [urgency.number, rank])
        case .moved(let from, let to, let rank):
            (code, numbers) = (.moved, [from.number, to.number, rank, 1])
        case .unwanted(let progress): (code, numbers) = (.unwanted, Self.numbers(of: progress))
        case .shared(let lists): (code, numbers) = (.shared, [lists])
        case .kept(let progress): (code, numbers) = (.kept, Self.numbers(of: progress))
        case .rejected: (code, numbers) = (.rejected, [])
        case .memoryBlocked: (code, numbers) = (.memoryBlocked, [])
        case .refined: (code, numbers) = (.refined, [])
        case .retrying(let at, _):
            (code, numbers) = (.retrying, [microseconds(at.nanoseconds)])
        case .retried: (code, numbers) = (.retried, [])
        case .fetched(let since):
            (code, numbers) = (.fetched, [microseconds(time - since.nanoseconds)])
        case .begun: (code, numbers) = (.begun, [])
        case .finished(let cost): (code, numbers) = (.finished, [microseconds(cost.whole)])
        case .failed(let why): (code, numbers, reason) = (.failed, [], why)
        case .invalidated: (code, numbers) = (.invalidated, [])
        case .evicted: (code, numbers) = (.evicted, [])
        }
    }

    /// Returns this line and the next merged, if both move the row within one urgency for the same
    /// reason, or both are rejections; otherwise nil.
    func joined(with next: StoryLine) -> StoryLine? {
        guard code == next.code, reason == next.reason else { return nil }
        var line = next
        switch code {
        case .rejected: return line
        case .moved where Set(numbers[0...1] + next.numbers[0...1]).count == 1:
            line.numbers[3] = numbers[3] + 1
            return line
        default: return nil
        }
    }

    private static func numbers(of progress: LoadProgress) -> [Int] {
        switch progress {
        case .none: [0, 0]
        case .fetching: [1, 0]
        case .fetched: [2, 0]
        case .begun(let spent): [3, microseconds(spent.whole)]
        case .settled: [4, 0]
        }
    }
}

extension Urgency {
    fileprivate var number: Int { Int(rawValue) }
}

extension Duration {
    /// The duration in whole nanoseconds, for a duration that a replay can have.
    fileprivate var whole: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
