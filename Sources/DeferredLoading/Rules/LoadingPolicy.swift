public import ScrollModel

/// A rule that says which rows are wanted: one of the library's own, or one of yours.
///
/// It's a value that is told of each event and frame, and answers with all that is wanted from then
/// on, or with nil when what it said before still stands. It neither loads nor cancels: the loader
/// finds out what has changed.
public protocol LoadingPolicy {
    /// Returns what is wanted after this, most urgent first; nil if nothing changes.
    ///
    /// `loads` is what is known of the rows' loads.
    mutating func wanted(after moment: ScrollMoment, loads: any LoadFacts) -> [Wanted<Int>]?

    /// Why a row is wanted or isn't, as of the last answer, in one line; nil if there's no more to
    /// say than that it is or isn't.
    ///
    /// Only asked when somebody wants to know.
    func explanation(ofRow row: Int) -> String?
}

extension LoadingPolicy {
    /// Nothing more to say.
    public func explanation(ofRow row: Int) -> String? { nil }
}
