internal import IdleLoop
internal import LullLibC

/// A ``LoadMachine``'s state of one of a loader's lists.
class DemandList {
    final let number: Int
    final let name: String
    fileprivate final var account: FairShare.Account
    /// The recent cost of this list's loads, and of its fetches by workers.
    fileprivate final var usualCost: MeanDeviation<Duration>?
    fileprivate final var usualFetch: MeanDeviation<Duration>?
    /// Whether it wants what it is about to show.
    fileprivate final var isMoving = false
    /// Whether it wants more when half of what it wants has been loaded.
    final var isPartial = false
    /// The wanted entries that weren't settled at the last count, and how many have been since.
    fileprivate final var unsettled = (count: 0, ended: 0)
    /// The entries of the wanted keys, each once, in the order of the list's request.
    final var entries: [LoadEntry] = []

    init(number: Int, name: String, weight: Int) {
        self.number = number
        self.name = name
        account = FairShare.Account(weight: weight)
    }
}

/// The demands of a loader's open lists, and their turns.
///
/// While only one list wants something, its own order counts. Several take turns, by weights and by
/// the costs of their loads; see ``FairShare``.
struct DemandTable {
    typealias Entry = LoadEntry
    typealias List = DemandList

    /// The lists that are open.
    private(set) var lists: [Int: List] = [:]
    /// The lists that want something; turns cost nothing for the others.
    private var wanting: [Int: List] = [:]
    /// The number of lists that want something.
    var wantingCount: Int { wanting.count }
    /// The number of lists that want what they are about to show.
    private(set) var movingCount = 0
    /// Whether several lists want something.
    private(set) var isShared = false
    private var fairness = FairShare()
    /// The recent cost of loads on the loop.
    private(set) var usualCost: MeanDeviation<Duration>?

    mutating func open(_ list: List) { lists[list.number] = list }

    mutating func close(_ list: List) { lists[list.number] = nil }

    func isOpen(_ list: List) -> Bool { lists[list.number] != nil }

    /// Replaces a list's demands, in an update with a number of its own; returns the entries whose
    /// demands have changed: those that the list no longer wants, then others by their urgency.
    mutating func update(
        _ list: List, to requests: [LoadEvent.Request], number: UInt64
    ) -> [Entry] {
        var changes: [LoadEvent.Request] = []
        var entries: [Entry] = []
        entries.reserveCapacity(requests.count)
        for request in requests {
            let entry = request.entry
            guard entry.mark(number, costHint: request.cost) else { continue }
            entries.append(entry)
            if entry.demand[list.number]?.own != request.order { changes.append(request) }
        }
        changes.sort { $0.order < $1.order }
        let unwanted = list.entries.filter { $0.lastMark != number }
        for entry in unwanted { entry.demand[list.number] = nil }
        for (entry, order, _) in changes {
            entry.demand[list.number] = ListDemand(list: list.number, own: order, order: order)
        }
        list.entries = entries
        list.unsettled = (entries.count { !$0.isSettled }, 0)
        wanting[list.number] = requests.isEmpty ? nil : list
        let isMoving = requests.contains { Urgency.near..<Urgency.visible ~= $0.order.urgency }
        if isMoving != list.isMoving { movingCount += isMoving ? 1 : -1 }
        list.isMoving = isMoving
        return unwanted + changes.map(\.entry)
    }

    /// Counts the end of an entry's load; returns the lists that want more, of whose wanted loads half
    /// have ended since the last time, or since they were requested.
    func noteEnd(of entry: Entry) -> [List] {
        var halfDone: [List] = []
        entry.demand.forEach { demand in
            guard let list = lists[demand.list] else { return }
            list.unsettled.ended += 1
            guard 2 * list.unsettled.ended >= list.unsettled.count else { return }
            list.unsettled = (list.unsettled.count - list.unsettled.ended, 0)
            if list.isPartial { halfDone.append(list) }
        }
        return halfDone
    }

    // MARK: - Turns

    /// Assigns new turns to a list that has changed its demands; returns the entries whose turns
    /// have changed.
    mutating func shareTurns(after list: List) -> [Entry] {
        let isShared = wanting.count > 1
        guard isShared != self.isShared else { return isShared ? giveTurns(to: list) : [] }
        self.isShared = isShared
        return wanting.values.sorted { $0.number < $1.number }.flatMap { giveTurns(to: $0) }
    }

    /// Assigns turns to a list's demands on the clock of their urgency, by their expected costs;
    /// returns the entries whose turns have changed.
    ///
    /// O(n log n), and O(n) if the list names the most urgent first.
    private mutating func giveTurns(to list: List, isForDrift: Bool = false) -> [Entry] {
        var changes: [Entry] = []
        fairness.renew(&list.account, isForDrift: isForDrift)
        var starts = Urgency.allCases.map { fairness.start(list.account, $0) }
        for entry in inOrder(list) where !entry.isSettled {
            guard var demand = entry.demand[list.number] else { continue }
            let urgency = demand.own.urgency
            let place = Int(urgency.rawValue)
            let old = demand.order
            if isShared {
                demand.order = LoadOrder(urgency, turn: starts[place])
                demand.length = list.account.length(of: expectedCost(of: entry, for: list))
                starts[place] = starts[place].addingReportingOverflow(demand.length).partialValue
            } else {
                demand.order = demand.own
            }
            entry.demand[list.number] = demand
            if demand.order != old { changes.append(entry) }
        }
        return changes
    }

    private func inOrder(_ list: List) -> [Entry] {
        func precedes(_ first: Entry, _ second: Entry) -> Bool {
            guard let first = first.demand[list.number], let second = second.demand[list.number]
            else { return false }
            return first.own < second.own
        }
        let entries = list.entries
        let isOrdered = !zip(entries, entries.dropFirst()).contains { precedes($1, $0) }
        return isOrdered ? entries : entries.sorted(by: precedes)
    }

    private func expectedCost(of entry: Entry, for list: List) -> Duration {
        let fetch = entry.stage == .nothing ? list.usualFetch?.mean ?? .zero : .zero
        return fetch
            + (entry.costHint ?? list.usualCost?.mean ?? usualCost?.mean ?? .milliseconds(1))
    }

    /// Begins the turn of an entry's foremost list, unless it has begun.
    mutating func beginTurn(of entry: Entry) {
        guard isShared, entry.job?.hasBegunTurn != true, let demand = entry.demand.foremost
        else { return }
        entry.job?.turn = demand
        entry.job?.hasBegunTurn = true
        fairness.begin(demand.order)
    }

    // MARK: - Costs

    /// Learns the cost of a load on the loop.
    mutating func learn(_ cost: Duration, of entry: Entry) {
        usualCost.add(cost, firstDeviation: cost / 2)
        guard let demand = entry.demand.foremost, let list = lists[demand.list] else { return }
        list.usualCost.add(cost, firstDeviation: cost / 2)
    }

    /// Adds the time that a worker has spent on a job to the costs of the job's list.
    func spendFetch(_ cost: Duration, on entry: Entry) {
        guard isShared else { return }
        entry.job?.spent += cost
        guard let turn = entry.job?.turn, let list = lists[turn.list] else { return }
        list.usualFetch.add(cost, firstDeviation: cost / 2)
    }

    /// Charges a list for the time of a job; returns the entries whose turns have changed.
    mutating func charge(_ job: LoadEntry.Job?) -> [Entry] {
        guard isShared, let job, let turn = job.turn, job.spent > .zero,
            let list = lists[turn.list],
            fairness.charge(&list.account, turn, cost: job.spent)
        else { return [] }
        return giveTurns(to: list, isForDrift: true)
    }

    /// Checks that lists that want something are open.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        precondition(wanting.keys.allSatisfy { lists[$0] != nil }, "lists are known")
        precondition(movingCount == lists.values.count { $0.isMoving }, "lists that move are known")
        for list in lists.values {
            precondition(
                (wanting[list.number] === list) == !list.entries.isEmpty,
                "lists that want something are known")
        }
    }
}
