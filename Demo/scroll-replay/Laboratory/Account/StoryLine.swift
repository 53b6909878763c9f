package import DeferredLoading
package import IdleLoop
internal import ReplayText

/// A decision about a row, or an event in its loading, with a fixed wording.
package struct StoryLine: Sendable {
    /// The kind of decision or event.
    package enum Kind: String, CaseIterable, Sendable {
        /// The rule wants the row.
        case wanted
        /// The row is loaded sooner than before.
        case raised
        /// The row is loaded later than before.
        case lowered
        /// The rule no longer wants the row; nothing had been done.
        case dropped
        /// The rule no longer wants the row; a part had been done.
        case cancelled
        /// The rule no longer names the row, which is loaded.
        case released
        /// More or fewer lists want the row than before.
        /// The rule no longer wants the row, but it is nearly fetched, and its fetch goes on.
        case kept
        /// The row is visible and not loaded, and the rule doesn't want it.
        case skipped
        /// The queue was full.
        case rejected = "turned_away"
        /// There is no memory to keep the row.
        case memoryBlocked = "crowded_out"
        /// The fetch has finished.
        case fetched
        /// Work on the loop has begun.
        case begun
        /// A preview is available.
        case refined
        /// The row is loaded.
        case loaded
        /// Loading has failed.
        case failed
        /// Loading has failed, and is retried later.
        case retrying
        /// Loading is retried.
        case retried
        /// The content of the row has changed.
        case invalidated
        /// The row was evicted to make room for others.
        case evicted
    }

    /// The time.
    package var time: Instant
    /// The row.
    package var row: Int
    /// The kind of decision or event.
    package var kind: Kind
    /// The urgency from now on.
    package var urgency: Urgency?
    /// The urgency before.
    package var from: Urgency?
    /// The rank within the urgency.
    package var rank: Int?
    /// The time at which the fetch began.
    package var since: Instant?
    /// The time spent on it on the loop.
    package var cost: Duration?
    /// The reason, as given by the rule, or of the failure.
    package var reason: String?
    /// The number and the last time of the changes of rank for which the line stands, if several.
    private var steps: (count: Int, end: Instant)?

    /// The number of decisions for which the line stands.
    package var stepCount: Int { steps?.count ?? 1 }

    init(time: Instant, row: Int, kind: Kind, reason: String? = nil) {
        self.time = time
        self.row = row
        self.kind = kind
        self.reason = reason
    }
}

extension StoryLine {
    /// Creates the line of a loader's decision; `place` is the row's urgency and rank before it.
    package init(_ decision: LoadDecision<Int>, place: (urgency: Urgency, rank: Int)?) {
        self.init(
            time: decision.time, row: decision.key, kind: .wanted,
            reason: decision.reason)
        switch decision.kind {
        case .wanted(let urgency, let rank):
            self.urgency = urgency
            self.rank = rank
        case .moved(let from, let to, let rank):
            let isSooner = from == to ? rank < (place?.rank ?? .max) : to > from
            kind = isSooner ? .raised : .lowered
            self.from = from
            urgency = to
            self.rank = rank
        case .unwanted(let progress):
            take(progress)
        case .kept(let progress):
            take(progress)
            kind = .kept
        case .rejected: kind = .rejected
        case .memoryBlocked: kind = .memoryBlocked
        case .fetched(let since):
            kind = .fetched
            self.since = since
        case .begun: kind = .begun
        case .refined: kind = .refined
        case .finished(let cost):
            kind = .loaded
            // The cost of rows loaded before the trace or in a frame isn't counted here.
            if cost > .zero { self.cost = cost }
        case .failed(let reason):
            kind = .failed
            self.reason = reason
        case .retrying(let at, _):
            kind = .retrying
            since = at
        case .retried: kind = .retried
        case .invalidated: kind = .invalidated
        case .evicted: kind = .evicted
        }
    }

    /// Sets the kind of a row that is no longer wanted, which depends on its progress.
    private mutating func take(_ progress: LoadProgress) {
        switch progress {
        case .none, .fetched: kind = .dropped
        case .fetching(let since):
            kind = .cancelled
            self.since = since
        case .begun(let spent):
            kind = .cancelled
            cost = spent
        case .settled: kind = .released
        }
    }
}

// The words.
extension StoryLine {
    /// The line in columns: seconds, kind, and the facts with the reason.
    package var text: String {
        let words = [facts, reason ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        let line = "\(seconds(time, 4).right(to: 9))  \(kind.rawValue.padded(to: 11))  " + words
        return line.trimmedEnd
    }

    /// The same with the row in front.
    package var textWithRow: String {
        let cells = text
        return String(cells.prefix(11)) + "row \(row)".padded(to: 10) + "  " + cells.dropFirst(11)
    }

    /// The facts of the line in words, without its kind and reason; empty if it has none.
    package var facts: String {
        switch kind {
        case .wanted, .raised, .lowered:
            guard let urgency, let rank else { return "" }
            let before = from.map { $0 == urgency ? "" : "\($0.name) → " } ?? ""
            let steps = steps.map { " in \($0.count) steps by \(seconds($0.end, 4))" } ?? ""
            return "\(before)\(urgency.name), rank \(rank)" + steps
        case .dropped: return "no longer wanted, before anything was done"
        case .cancelled:
            if let since { return "no longer wanted, fetching since \(seconds(since, 4))" }
            return "no longer wanted, after \(milliseconds(cost ?? .zero, 2)) ms of work"
        case .released: return "no longer wanted; it's there"
        case .skipped: return "on screen, and not wanted"
        case .rejected: return "the queue is full; it's offered again"
        case .fetched: return since.map { "since \(seconds($0, 4))" } ?? ""
        case .begun, .refined, .retried: return ""
        case .kept: return "no longer wanted, but nearly fetched"
        case .memoryBlocked: return "no room to keep it; it waits"
        case .retrying: return since.map { "tried again at \(seconds($0, 4))" } ?? ""
        case .loaded: return cost.map { "cost \(milliseconds($0, 2)) ms" } ?? ""
        case .failed, .invalidated: return ""
        case .evicted: return "it made room for another"
        }
    }

    /// Returns a row's lines with consecutive changes of rank within one urgency merged, if there
    /// are more than two.
    package static func merged(_ lines: [StoryLine]) -> [StoryLine] {
        var result: [StoryLine] = []
        var rest = lines[...]
        while let first = rest.first {
            let run = rest.prefix { step in
                (step.kind == .raised || step.kind == .lowered) && step.kind == first.kind
                    && step.from == step.urgency
            }
            var line = first
            if run.count > 2, let last = run.last {
                line = last
                line.steps = (run.count, last.time)
                line.time = first.time
            }
            result.append(line)
            rest = rest.dropFirst(run.count > 2 ? run.count : 1)
        }
        return result
    }
}

extension Urgency {
    /// The urgency's name.
    package var name: String { "\(self)" }
}
