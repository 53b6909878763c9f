internal import LullLibC
internal import IdleLoop

/// The price of a loader's work: what a second of it costs those who wait.
///
/// While n rows wait that lists show or are about to show, a second of work for another row costs n
/// seconds in view, as all of them come a second later. Those of the list itself don't count, as its
/// rule orders them by their gain; it is assumed that each list has an equal part. Neither do rows
/// that wait while lulls go unused: their number is multiplied by the share that is spent, of the
/// lulls or of the workers' time, whichever is greater. While there are no lulls, the share stays.
/// With several lanes, lulls are those of all processors, and a second of work is shared by all.
///
/// Both are filtered, so that a price settles within two seconds of a step in load and follows no
/// single load. It has no timer: it is updated when it is read, for the time since it was read last.
struct PriceMeter {
    /// The counts until a moment.
    struct Reading {
        var time = Instant.zero
        /// The total time that jobs ran in lulls, on lanes too.
        var worked = Duration.zero
        /// The total time that the loop slept.
        var asleep = Duration.zero
        /// The part of the time worked that lanes did.
        var workedOnLanes = Duration.zero
        /// The number of loads that can run at once.
        var lanes = 1
        /// The share of the workers that fetch now.
        var fetching = 0.0
        /// The number of rows that lists wait for now, without those of an average list.
        var waiting = 0.0
    }

    /// The least time between two updates.
    private static let interval = Duration.milliseconds(10)
    /// The time in which a filtered value gets within 1/e of a new one, in seconds.
    private static let settling = 0.35

    private let range: ClosedRange<WorkPrice>
    private var last: Reading?
    private var spent = 0.0
    private var waiting = 0.0
    /// The price at the last update.
    private(set) var price: WorkPrice

    /// A meter of prices in a range, before any work: at the lowest.
    init(in range: ClosedRange<WorkPrice>) {
        self.range = range
        price = range.lowerBound
    }

    /// Whether the price can change, and some time has passed since the last update.
    func isDue(at now: Instant) -> Bool {
        range.lowerBound < range.upperBound
            && last.map { now - $0.time >= Self.interval } ?? true
    }

    /// Takes a new reading.
    mutating func update(to reading: Reading) {
        defer { last = reading }
        guard let last else { return }
        let elapsed = (reading.time - last.time).inSeconds
        let part = 1 - exp(-elapsed / Self.settling)
        let worked = (reading.worked - last.worked).inSeconds
        let onLanes = (reading.workedOnLanes - last.workedOnLanes).inSeconds
        let lulls =
            worked - onLanes + (reading.asleep - last.asleep).inSeconds
            + elapsed * Double(reading.lanes - 1)
        let share = max(lulls > 0 ? min(1, worked / lulls) : spent, min(1, reading.fetching))
        spent += (share - spent) * part
        waiting += (reading.waiting - waiting) * part
        let price = WorkPrice(secondsInView: spent * waiting / Double(reading.lanes))
        self.price = min(max(price, range.lowerBound), range.upperBound)
    }
}
