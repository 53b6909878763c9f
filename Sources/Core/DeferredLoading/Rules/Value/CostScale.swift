internal import LullLibC
internal import IdleLoop
internal import ScrollModel

/// The figures by which loads are evaluated at a moment; times are in seconds, like
/// ``ValueTuning``.
struct CostScale {
    private var now = 0.0
    private(set) var frames = FrameGrid(next: 0, interval: 1)
    /// The usual cost of a load.
    private(set) var usual = 0.0
    /// The number of loads that run at once.
    private var lanes = 1.0
    /// The usual duration of a fetch, at first the source's estimate; 0 if nothing is fetched.
    private var fetch = 0.0
    /// A fetch's share of the workers.
    private(set) var fetchShare = 0.0
    /// The price of work.
    private(set) var price = WorkPrice.neutral
    /// The number of rows that can be kept; nil if there is no limit.
    private(set) var capacity: Int?
    /// The time from the end of a load until its row is seen.
    private var delivery = 0.0
    /// The time for which a row occupies the link to the display.
    private(set) var transfer = 0.0
    /// The price of that time, in seconds in view.
    private var transferPrice = 0.0

    /// Takes the figures of a moment; `row` is asked for the fetch time if no fetch was measured
    /// yet.
    mutating func update(to moment: ScrollState, _ facts: any LoadStatus, row: Int?) {
        now = moment.now.seconds
        price = facts.price
        capacity = facts.capacity
        delivery = facts.delivery.inSeconds
        transfer = facts.transfer.inSeconds
        transferPrice = facts.priceFloor.secondsInView
        frames = FrameGrid(
            now: now, last: (moment.motion.lastFrame ?? moment.time).seconds,
            interval: moment.motion.frameInterval, cap: ValueTuning.cap(at: price))
        lanes = Double(max(1, facts.lanes))
        usual = facts.usualCost?.inSeconds ?? ValueTuning.unknownCost
        let fetch = facts.usualFetch ?? row.flatMap { facts.fetchHint(ofRow: $0) }
        self.fetch = fetch?.inSeconds ?? 0
        fetchShare = self.fetch / Double(max(1, facts.fetches))
    }

    /// Returns a load's share of the loop, or of all lanes, by its cost.
    func share(of cost: Double) -> Double { cost / lanes }

    /// The usual share of the loop, or of all lanes.
    var usualShare: Double { share(of: usual) }

    /// The time that a load takes beside its work in lulls.
    var lag: Double { fetch + delivery }

    /// Whether loads are so small compared with a frame, or with their transfers, that their mean is
    /// good enough.
    var isSmall: Bool {
        max(usualShare, fetchShare) < max(ValueTuning.small * frames.interval, transfer)
    }

    /// Whether the link to the display is scarcer than the loop and the workers.
    var isLinkScarce: Bool { transfer > max(usualShare, fetchShare) }

    func showing(
        of row: Int, _ extent: Extent, in flight: ListScenario
    ) -> CandidateLoad.Showing {
        var weight = flight.path.weight
        var (entry, exit) = (flight.restTime, Double.infinity)
        if flight.rows.contains(row) {
            guard let passage = flight.passage(from: extent.offset, to: extent.end) else {
                return .never
            }
            (entry, exit) = passage
        } else {
            weight *= ValueTuning.marginShare
        }
        let first = max(0, frames.number(at: entry))
        let last = frames.number(at: exit) - 1
        guard last >= first else { return .never }
        if entry > 0 { weight *= exp(-entry / ValueTuning.trust) }
        return CandidateLoad.Showing(weight: weight, first: first, last: last, entry: entry)
    }

    /// Estimates the remaining work of a row's load.
    func estimate(_ load: inout CandidateLoad, _ progress: LoadProgress, _ hint: Double?) {
        var unit = 0.0
        load.cost = max(1e-4, hint ?? usual)
        load.isCostKnown = hint != nil
        switch progress {
        case .settled, .fetched: break
        case .none:
            load.needsFetch = true
            load.fetch = fetch
            unit = fetchShare
        case .fetching(let since):
            (load.isFetching, load.needsFetch) = (true, true)
            if fetch > 0 { load.fetch = max(0, since.seconds + fetch - now) }
        case .begun(let spent):
            if spent > .zero { load.cost = max(3e-4, load.cost - spent.inSeconds) }
        }
        load.fetch += delivery
        load.work = max(share(of: load.cost), unit)
        load.unit = max(load.work, transfer)
    }

    /// Returns the minimum gain for which a load is done, in seconds in view: its cost at the price
    /// of work, and its transfer at the lowest price.
    ///
    /// It is at most half of the maximum gain of any load: a row that stays in view is loaded
    /// whatever it costs. Below the neutral price, a worker's time is free.
    func leastGain(of load: CandidateLoad, isFetching: Bool) -> Double {
        let share = isFetching ? ValueTuning.worthOfFetched : 1
        let work =
            load.cost * price.level + max(0, load.work - load.cost) * max(0, price.level - 1)
        let least =
            share * work * WorkPrice.neutral.secondsInView + transfer * transferPrice
        return min(frames.cap / 2, least)
    }

    /// Computes the gain and the priority of a load.
    func weigh(_ load: inout CandidateLoad) {
        load.gain = frames.gain(of: load, readyAt: load.fetch + load.cost / ValueTuning.share)
        guard load.gain > 0 else { return load.verdict = .late }
        guard load.gain > leastGain(of: load, isFetching: load.isFetching) else { return }
        load.verdict = .wanted
        load.whole = frames.gain(of: load, readyAt: 0)
        let usual = max(usualShare, fetchShare, transfer)
        let slack = max(0, load.likeliest.entry - load.ready)
        load.priority =
            load.gain / load.unit * exp(-slack / (ValueTuning.slack + ValueTuning.patience * usual))
    }
}
