/// One attempt to load a row, from its request to its end: a bar in the drawing.
struct LoadBar: Equatable {
    /// The outcome of an attempt.
    enum End: Int {
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
    var row: Int
    /// The time of the request, in nanoseconds.
    var asked: Int64
    /// The times of the fetch, if it has finished.
    var fetch: Range<Int64>?
    /// The time at which work on the loop began, if it did.
    var begun: Int64?
    /// The time of the end.
    var end: Int64
    /// The outcome.
    var outcome: End
    /// Whether the row was then visible for a tenth of a second.
    var isUseful = false

    /// The end of the wait: the start of the work, or the end of the attempt.
    var waitEnd: Int64 { begun ?? end }
}
