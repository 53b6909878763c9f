internal import DeferredLoading
internal import IdleLoop

/// One line of a row's story: what happened, as a code with its numbers, when and why.
struct StoryLine: Equatable {
    /// What happened; the page's script and the drawings put it into words.
    enum Code: Int {
        /// Wanted: urgency, rank.
        case wanted
        /// Moved: urgency before, urgency, rank, how many steps.
        case moved
        /// No longer wanted: 0 nothing done, 1 being fetched, 2 fetched, 3 begun, 4 there; µs spent.
        case unwanted
        /// The queue had no room.
        case turnedAway
        /// Fetched: µs it took.
        case fetched
        /// Begun on the loop.
        case begun
        /// Finished: µs it cost on the loop.
        case finished
        /// Failed; the reason says why.
        case failed
        /// What it stands for changed.
        case invalidated
        /// It made room for others.
        case evicted
        /// Wanted by more or fewer lists than before: how many.
        case shared
        /// No longer wanted, but nearly done; as unwanted.
        case kept
        /// No room to keep it.
        case crowdedOut
        /// Some of it can be shown.
        case refined
        /// Failed for now: µs, when it's tried again.
        case retrying
        /// Tried again.
        case retried
    }

    var code: Code
    /// When, in nanoseconds; of several steps the last.
    var time: Int64
    /// As many as the code has.
    var numbers: [Int]
    /// Why.
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
        case .turnedAway: (code, numbers) = (.turnedAway, [])
        case .crowdedOut: (code, numbers) = (.crowdedOut, [])
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

    /// This line and the next as one, if both move the row within one urgency for the same reason,
    /// or it was turned away twice.
    func joined(with next: StoryLine) -> StoryLine? {
        guard code == next.code, reason == next.reason else { return nil }
        var line = next
        switch code {
        case .turnedAway: return line
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
    /// Whole nanoseconds, of a duration that a replay can have.
    fileprivate var whole: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
