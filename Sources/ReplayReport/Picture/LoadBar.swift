/// One attempt to load a row, from when it was asked for to what became of it: a bar in the picture.
struct LoadBar: Equatable {
    /// What became of an attempt.
    enum End: Int {
        /// The row was there.
        case finished
        /// It could not be loaded.
        case failed
        /// It was no longer wanted.
        case takenBack
        /// The trace was over first.
        case waiting
    }

    /// The row.
    var row: Int
    /// When it was asked for, in nanoseconds.
    var asked: Int64
    /// When its fetch began and came, if it has come.
    var fetch: Range<Int64>?
    /// When work on the loop began, if it did.
    var begun: Int64?
    /// When it ended.
    var end: Int64
    /// How it ended.
    var outcome: End
    /// Whether the row was seen for a tenth of a second.
    var isUseful = false

    /// When it stopped waiting: at the start of its work, or at its end.
    var waitEnd: Int64 { begun ?? end }
}
