public import ScrollModel

/// A rule that selects the wanted rows: one of the library's own, or one of yours.
///
/// It is a value that takes each event and frame, and returns everything that is wanted from then
/// on, or nil if its last answer is still valid. It neither loads nor cancels: the loader finds out
/// what has changed.
public protocol LoadingPolicy {
    /// Returns what is wanted after an event, the most urgent first; nil if nothing changes.
    ///
    /// `loads` provides the progress and the costs of the rows' loads.
    mutating func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]?

    /// Processes an event that others follow at once, and returns what is wanted if that costs nothing
    /// more to know.
    ///
    /// After the last, ``wanted(after:loads:)`` is asked: it may return nil if nothing has changed since.
    mutating func note(_ moment: ScrollState) -> [Wanted<Int>]?

    /// Whether the last answer leaves out rows that are wanted too, since there are too many for one.
    ///
    /// The rule is then asked again without an event, each time that half of what it wanted has been
    /// loaded or has failed. It should leave out what is settled, and return more.
    var isPartial: Bool { get }

    /// Returns in one line why a row was wanted or not at the last answer; nil if there is no
    /// explanation.
    ///
    /// It is called only if decisions are observed.
    func explanation(ofRow row: Int) -> String?
}

extension LoadingPolicy {
    /// Asks the rule, without facts of any load.
    public mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? {
        wanted(after: moment, loads: NoLoadStatus())
    }

    /// False: each answer is complete.
    public var isPartial: Bool { false }

    /// Returns nil, for no explanation.
    public func explanation(ofRow row: Int) -> String? { nil }
}
