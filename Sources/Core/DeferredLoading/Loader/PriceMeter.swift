internal import Glibc
internal import IdleLoop

/// The price of a loader's work, measured by what is left of its loop's lulls and its workers' time.
///
/// The share of time that is spent, of the lulls or of the workers, whichever is greater, leads the
/// price up to the neutral one. Above that leads the backlog: the seconds of work that lists wait
/// for, without rows that no list shows or is about to show. Both are filtered, so that a price
/// settles within two seconds of a step in load and follows no single load.
///
/// It has no timer: it is updated when it is read, for the time since it was read last.
struct PriceMeter {
    /// What has been counted until a moment.
    struct Reading {
        var time = Instant.zero
        /// The total time that jobs ran in lulls.
        var worked = Duration.zero
        /// The total time that the loop slept.
        var asleep = Duration.zero
        /// The share of the workers that fetch now.
        var fetching = 0.0
        /// The seconds of work that lists wait for now.
        var backlog = 0.0
    }

    /// The least time between two updates.
    private static let interval = Duration.milliseconds(10)
    /// The time in which a filtered value gets within 1/e of a new one, in seconds.
    private static let settling = 0.35
    /// The backlog that adds the neutral price, in seconds of work.
    private static let patience = 1.0

    private let range: ClosedRange<WorkPrice>
    private var last: Reading?
    private var spent = 0.0
    private var backlog = 0.0
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
        let part = 1 - exp(-(reading.time - last.time).inSeconds / Self.settling)
        let worked = (reading.worked - last.worked).inSeconds
        let lulls = worked + (reading.asleep - last.asleep).inSeconds
        let share = max(lulls > 0 ? worked / lulls : 0, min(1, reading.fetching))
        spent += (share - spent) * part
        backlog += (reading.backlog - backlog) * part
        let level = spent * spent + backlog / Self.patience
        let price = WorkPrice(secondsInView: level * WorkPrice.neutral.secondsInView)
        self.price = min(max(price, range.lowerBound), range.upperBound)
    }
}
