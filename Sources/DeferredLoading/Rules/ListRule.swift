public import ScrollModel

/// One of the library's own rules, which a list is given by its name: as `.value`, say.
public struct ListRule: LoadingPolicy {
    package private(set) var rule: any LoadingPolicy

    init(_ rule: any LoadingPolicy) {
        self.rule = rule
    }

    /// Returns what is wanted after this, most urgent first; nil if nothing changes.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? { rule.wanted(after: moment, loads: loads) }

    /// Why a row is wanted or isn't, as of the last answer, in one line.
    public func explanation(ofRow row: Int) -> String? { rule.explanation(ofRow: row) }
}

extension LoadingPolicy where Self == ListRule {
    /// The rule that wants what is on screen, first come first, and abandons it when it leaves.
    public static var visible: ListRule { ListRule(VisibleRows()) }

    /// The rule that wants what is on screen, then all within two screens of it, the nearest first.
    public static var everything: ListRule { ListRule(EverythingNear()) }

    /// In a fling that goes far, only the rows within so many of where it will rest are wanted.
    ///
    /// - Precondition: not negative.
    public static func within(rows margin: Int) -> ListRule {
        ListRule(LandingRows(margin: margin))
    }

    /// The rule by which what gains the most time in view for its cost comes first.
    public static var value: ListRule { ListRule(ExpectedValue()) }

    /// As `value`, but in a fling that goes far only around its landing: for lists shown elsewhere.
    public static var gated: ListRule { ListRule(GatedValue()) }
}
