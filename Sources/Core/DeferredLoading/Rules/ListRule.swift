public import ScrollModel

/// One of the library's own rules, by name: `.value`, for example.
public struct ListRule: LoadingPolicy {
    private var rule: any LoadingPolicy

    init(_ rule: any LoadingPolicy) {
        self.rule = rule
    }

    /// Whether the last answer leaves out rows, since there are too many for one.
    public var isPartial: Bool { rule.isPartial }

    /// Processes an event without planning what is wanted.
    ///
    /// After several events at once: each is noted, and ``wanted(after:loads:)`` is called for the last.
    /// A plan costs a hundred times what an event does.
    @discardableResult
    public mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? { rule.note(moment) }

    /// Returns what is wanted after this, most urgent first; nil if nothing changes.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        rule.wanted(after: moment, loads: loads)
    }

    /// Returns in one line why a row was wanted or not at the last answer.
    public func explanation(ofRow row: Int) -> String? { rule.explanation(ofRow: row) }
}

extension LoadingPolicy where Self == ListRule {
    /// The rule that wants the rows on screen, first in, first out, and abandons them when they
    /// leave.
    public static var visible: ListRule { ListRule(VisibleRows()) }

    /// The rule that wants the rows on screen, then all within two screens of them, the nearest
    /// first.
    public static var everything: ListRule { ListRule(EverythingNear()) }

    /// Returns the rule that in a long fling wants only the rows within `margin` lines of its landing,
    /// and in a short one those on screen.
    ///
    /// It is for few loads: where each is dear, such as a download, and landings are known, since the
    /// scroller reports them or is named. It leaves the rows that a fling passes blank, also where
    /// there would be time for them; ``value`` decides that by cost.
    ///
    /// - Parameters:
    ///   - margin: The number of lines on either side of those in view at the landing; without a
    ///     ``/ScrollModel/LineFlow``, each row is a line.
    ///   - threshold: The distance in lines from the first row in view to the first at the landing, up
    ///     to which a fling is short. Of eight lines, a screen, most are in view already or come at
    ///     once. With a smaller one less is loaded on the way, and with a greater one less is blank.
    /// - Returns: The rule.
    /// - Precondition: `margin` and `threshold` are not negative.
    public static func within(rows margin: Int, threshold: Int = 8) -> ListRule {
        ListRule(LandingRows(threshold: threshold, margin: margin))
    }

    /// The rule that first loads the rows that gain the most time in view for their cost, and leaves
    /// out those that gain less than the work is worth elsewhere.
    public static var value: ListRule { ListRule(ValueRule()) }
}
