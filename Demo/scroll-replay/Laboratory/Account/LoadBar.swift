internal import DeferredLoading
package import IdleLoop
internal import LullTesting

/// One attempt to load a row, from its request to its end: a bar in the drawing.
package struct LoadBar: Equatable, Sendable {
    /// The outcome of an attempt.
    package enum End: Int, Sendable {
        /// The row was loaded.
        case finished
        /// Loading failed.
        case failed
        /// The row was no longer wanted.
        case takenBack
        /// The trace ended first.
        case waiting
    }

    /// The row.
    package var row: Int
    /// The time of the request.
    package var asked: Instant
    /// The times of the fetch, if it has finished.
    package var fetch: Range<Instant>?
    /// The time at which work began, if it did.
    package var begun: Instant?
    /// The time of the end.
    package var end: Instant
    /// The outcome.
    package var outcome: End
    /// Whether the row was then visible for a tenth of a second.
    package var isUseful = false
}

/// A builder of a row's bars from the decisions about it.
struct LoadBarBuilder {
    private let row: Int
    private let slices: [ReplayLog.Slice]
    private var nextSlice = 0
    private var open: LoadBar?
    private var isWanted = false
    private var isSettled: Bool
    private(set) var bars: [LoadBar] = []

    /// Creates the builder of a row with its slices of work; `isWarm` if it was loaded beforehand.
    init(row: Int, slices: [ReplayLog.Slice], isWarm: Bool) {
        self.row = row
        self.slices = slices
        isSettled = isWarm
    }

    mutating func note(_ decision: LoadDecision<Int>) {
        let time = decision.time
        switch decision.kind {
        case .wanted:
            isWanted = true
            ask(at: time)
        case .unwanted:
            isWanted = false
            close(.takenBack, at: time)
        case .fetched(let since):
            open?.fetch = min(since, time)..<time
        case .finished:
            close(.finished, at: time)
            isSettled = true
        case .failed:
            close(.failed, at: time)
            isSettled = true
        case .invalidated, .evicted, .retried:
            isSettled = false
            if isWanted { ask(at: time) }
        case .moved, .rejected, .begun, .kept, .memoryBlocked, .refined, .retrying:
            break
        }
    }

    /// Ends an attempt that is open at the end of the trace.
    mutating func finish(at end: Instant) {
        close(.waiting, at: end)
    }

    private mutating func ask(at time: Instant) {
        guard !isSettled, open == nil else { return }
        open = LoadBar(row: row, asked: time, end: time, outcome: .waiting)
    }

    private mutating func close(_ outcome: LoadBar.End, at time: Instant) {
        // A slice that starts at this time is a later attempt's: a fetch that is nearly there goes on.
        // One that ends later is a lane's, which can't be stopped in the middle.
        func isPast(_ slice: ReplayLog.Slice) -> Bool { slice.end <= time || slice.start < time }
        let first = nextSlice < slices.count && isPast(slices[nextSlice]) ? nextSlice : nil
        while nextSlice < slices.count, isPast(slices[nextSlice]) { nextSlice += 1 }
        // A row that is loaded in the frame has no request.
        let inFrame = first.map {
            LoadBar(row: row, asked: slices[$0].start, end: time, outcome: outcome)
        }
        guard var bar = open ?? inFrame else { return }
        open = nil
        bar.begun = first.map { slices[$0].start }
        bar.end = time
        bar.outcome = outcome
        bars.append(bar)
    }
}
