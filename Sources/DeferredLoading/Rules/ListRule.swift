public import ScrollModel

/// One of the library's own rules, by name: `.value`, for example.
public struct ListRule: LoadingPolicy {
    package private(set) var rule: any LoadingPolicy

    init(_ rule: any LoadingPolicy) {
        self.rule = rule
    }

    /// Returns what is wanted after an event, the most urgent first; nil if nothing changes.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? { rule.wanted(after: moment, loads: loads) }

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

    /// Returns the rule that in a long fling wants only the rows within `margin` of its landing.
    ///
    /// - Precondition: `margin` is not negative.
    public static func within(rows margin: Int) -> ListRule {
        ListRule(LandingRows(margin: margin))
    }

    /// The rule that first loads the rows that gain the most time in view for their cost.
    public static var value: ListRule { ListRule(ExpectedValue()) }

    /// The rule `value`, but in a long fling only around its landing: for lists that are displayed
    /// elsewhere.
    public static var gated: ListRule { ListRule(GatedValue()) }
}
