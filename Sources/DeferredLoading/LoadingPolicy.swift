/// A rule that says which rows are wanted.
///
/// It's a value that is told of each event and frame, and answers with all that is wanted from then
/// on, or with nil when what it said before still stands. It neither loads nor cancels: the loader
/// makes a `Demand` of the difference.
public protocol LoadingPolicy {
    /// What is wanted after this, most urgent first; nil if nothing changes.
    mutating func wanted(after moment: ScrollMoment) -> [Wanted<Int>]?
}
