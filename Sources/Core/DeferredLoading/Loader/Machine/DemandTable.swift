internal import IdleLoop
internal import LullLibC

/// The demands of a loader's open lists, and their turns.
///
/// While only one list wants something, its own order counts. Several take turns: of those that want
/// work of the same urgency, the one that has received the least for its weight comes first; see
/// ``FairOrder``. A turn is the virtual time at which a piece of work begins if each takes what those
/// of its list usually do; the real time is charged when it is done.
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
    private var orders = Array(repeating: FairOrder(), count: Urgency.allCases.count)
    /// The recent cost of loads on the loop.
    private(set) var usualCost: MeanDeviation?

    mutating func open(_ list: List) { lists[list.number] = list }

    mutating func close(_ list: List) { lists[list.number] = nil }

    /// Replaces a list's demands, in an update with a number of its own; returns the entries whose
    /// demands have changed: those that the list no longer wants, then others by their urgency.
    mutating func update(_ list: List, to requests: [List.Request], number: UInt64) -> [Entry] {
        var changes: [List.Request] = []
        let old = list.requests
        list.requests = requests.filter { request in
            guard request.entry.lastMark != number else { return false }
            request.entry.lastMark = number
            if request.entry.demand[list.number]?.own != request.order { changes.append(request) }
            return true
        }
        changes.sort { $0.order < $1.order }
        let unwanted = old.map(\.entry).filter { $0.lastMark != number }
        for entry in unwanted { entry.demand[list.number] = nil }
        for change in changes {
            let (list, order) = (list.number, change.order)
            change.entry.demand[list] = .init(list: list, own: order, order: order)
        }
        list.unsettled = (list.requests.count { !$0.entry.isSettled }, 0)
        wanting[list.number] = requests.isEmpty ? nil : list
        let isMoving = requests.contains { Urgency.near..<Urgency.visible ~= $0.order.urgency }
        if isMoving != list.isMoving { movingCount += isMoving ? 1 : -1 }
        list.isMoving = isMoving
        return unwanted + changes.map(\.entry)
    }

    /// Counts the end of an entry's load; returns the lists that want more, of whose wanted loads half
    /// have ended since the last time, or since they were requested.
    func noteEnd(of entry: Entry) -> [List] {
        entry.demand.lists.compactMap { lists[$0] }.filter { list in
            list.unsettled.ended += 1
            guard 2 * list.unsettled.ended >= list.unsettled.count else { return false }
            list.unsettled = (list.unsettled.count - list.unsettled.ended, 0)
            return list.isPartial
        }
    }

    // MARK: - Turns

    /// Assigns new turns to a list that has changed its demands; returns the entries whose turns
    /// have changed.
    mutating func shareTurns(after list: List) -> [Entry] {
        list.turn.tolerance = 2
        let isShared = wanting.count > 1
        guard isShared != self.isShared else { return isShared ? giveTurns(to: list) : [] }
        self.isShared = isShared
        return wanting.values.sorted { $0.number < $1.number }.flatMap { giveTurns(to: $0) }
    }

    /// Assigns turns to a list's demands on the clock of their urgency; returns the entries whose
    /// turns have changed.
    ///
    /// O(n log n), and O(n) if the list names the most urgent first.
    private func giveTurns(to list: List) -> [Entry] {
        let cost = list.usualCost?.mean ?? usualCost?.mean ?? .milliseconds(1)
        let length = Int(list.accounts[0].end(of: cost, from: 0))
        list.turn = (length, 0, list.turn.tolerance)
        var starts = zip(orders, list.accounts).map { Int($0.start(of: $1)) }
        var changes: [Entry] = []
        for entry in inOrder(list) where !entry.isSettled {
            guard var demand = entry.demand[list.number] else { continue }
            let old = demand.order
            demand.order = demand.own
            if isShared {
                let urgency = demand.own.urgency
                let place = urgency.level
                demand.order = LoadOrder(urgency, turn: starts[place])
                starts[place] = starts[place].addingReportingOverflow(length).partialValue
            }
            entry.demand[list.number] = demand
            if demand.order != old { changes.append(entry) }
        }
        return changes
    }

    private func inOrder(_ list: List) -> [Entry] {
        let requests = list.requests
        let isOrdered = !zip(requests, requests.dropFirst()).contains { $1.order < $0.order }
        return (isOrdered ? requests : requests.sorted { $0.order < $1.order }).map(\.entry)
    }

    /// Begins the turn of an entry's foremost list, unless it has begun.
    mutating func beginTurn(of entry: Entry) {
        guard isShared, let job = entry.job, !job.hasBegunTurn, let demand = entry.demand.foremost
        else { return }
        job.turn = demand
        job.hasBegunTurn = true
        orders[demand.order.urgency.level].begin(at: Int64(demand.order.turn))
    }

    // MARK: - Costs

    /// Learns the cost of a load on the loop.
    mutating func learn(_ cost: Duration) { usualCost.add(cost, firstDeviation: cost / 2) }

    /// Charges a list for the time of a job; returns the entries whose turns have changed.
    ///
    /// That is when the expected costs have been too far off.
    func charge(_ job: LoadJob?, isDone: Bool) -> [Entry] {
        guard let job, let turn = job.turn, job.spent > .zero, let list = lists[turn.list]
        else { return [] }
        if isDone { list.usualCost.add(job.spent, firstDeviation: job.spent / 2) }
        guard isShared else { return [] }
        let place = turn.order.urgency.level
        list.accounts[place].charge(job.spent, from: Int64(turn.order.turn))
        list.turn.drift += Int(list.accounts[place].end(of: job.spent, from: 0)) - list.turn.length
        guard abs(list.turn.drift) > list.turn.tolerance * list.turn.length else { return [] }
        list.turn.tolerance = min(16, list.turn.tolerance * 2)
        return giveTurns(to: list)
    }

    /// Checks that lists that want something are open.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        precondition(wanting.keys.allSatisfy { lists[$0] != nil }, "lists are known")
        precondition(movingCount == lists.values.count { $0.isMoving }, "lists that move are known")
        for list in lists.values {
            precondition(
                (wanting[list.number] === list) == !list.requests.isEmpty,
                "lists that want something are known")
            precondition(
                list.subscribed.allSatisfy { $0.subscribers.contains(list.number) },
                "a subscribed key knows its lists")
        }
    }
}
