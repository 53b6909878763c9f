public import IdleLoop

/// The facts that a rule may know about the loads of a list's rows.
///
/// A list has it from its ``DeferredLoader``.
public protocol LoadStatus {
    /// Returns the progress of a row's load.
    func progress(ofRow row: Int) -> LoadProgress
    /// Returns the estimated cost of a row's load on the loop, from its file's size or its pixels;
    /// nil if unknown.
    func costHint(ofRow row: Int) -> Duration?
    /// Returns the estimated duration of a row's fetch; nil if nothing is fetched for it, or if
    /// unknown.
    func fetchHint(ofRow row: Int) -> Duration?
    /// Calls `body` for each of some rows, in their order, with its load's progress, and its
    /// estimated cost if it isn't settled: at a part of the cost of one call for each row.
    func forEachLoad(
        ofRows rows: [Int], _ body: (_ progress: LoadProgress, _ costHint: Duration?) -> Void)
    /// The recent cost of loads on the loop; nil before the first has finished.
    var usualCost: Duration? { get }
    /// The recent duration of fetches; nil before the first has finished.
    var usualFetch: Duration? { get }
    /// The number of fetches that can run at once; 0 if nothing is fetched.
    var fetches: Int { get }
    /// The number of loads that can run at once: one on the loop, or as many as there are lanes.
    var lanes: Int { get }
    /// The number of rows that can be kept for the list; nil if there is no limit.
    var capacity: Int? { get }
    /// The price of work now.
    var price: WorkPrice { get }
    /// The time from the end of a load until its row is seen: zero where the list is drawn by this
    /// process, and the way to a display that is elsewhere.
    var delivery: Duration { get }
    /// The time for which a row occupies the list's link to such a display, which transfers one row
    /// after another: its bytes divided by the link's throughput. Zero if that is no limit.
    ///
    /// The link belongs to this list alone. So the time isn't worth ``price``, but ``priceFloor``.
    var transfer: Duration { get }
    /// The lowest price that ``price`` may have, as the user has set it: that of a transfer.
    var priceFloor: WorkPrice { get }
}

extension LoadStatus {
    /// Returns nil, for unknown.
    package func fetchHint(ofRow row: Int) -> Duration? { nil }

    /// One: all run on the loop.
    package var lanes: Int { 1 }

    /// Nil: no limit.
    package var capacity: Int? { nil }

    /// The neutral price.
    package var price: WorkPrice { .neutral }

    /// Zero.
    package var delivery: Duration { .zero }

    /// Zero.
    package var transfer: Duration { .zero }

    /// The free price.
    package var priceFloor: WorkPrice { .free }

    /// Calls the other methods for each row.
    package func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
        for row in rows {
            let progress = progress(ofRow: row)
            body(progress, progress == .settled ? nil : costHint(ofRow: row))
        }
    }
}

/// The progress of a load.
public enum LoadProgress: Equatable, Sendable {
    /// No work was done yet.
    case none
    /// It is being fetched off the loop, since the given time.
    case fetching(since: Instant)
    /// It is fetched, and its load on the loop has not begun.
    case fetched
    /// It has begun on the loop, and the given time was spent.
    case begun(spent: Duration)
    /// It is loaded, or has failed for now.
    case settled
}

/// The facts of a list of which no row was begun and no cost is known.
package struct NoLoadStatus: LoadStatus, Sendable {
    /// No facts.
    package init() {}

    /// Returns `none`: nothing was done.
    package func progress(ofRow row: Int) -> LoadProgress { .none }
    /// Returns nil: nobody says.
    package func costHint(ofRow row: Int) -> Duration? { nil }
    /// Nil: unknown.
    package var usualCost: Duration? { nil }
    /// Nil: unknown.
    package var usualFetch: Duration? { nil }
    /// Zero: nothing is fetched.
    package var fetches: Int { 0 }
}
