import DeferredLoading
import ScrollModel

/// A rule that wants nothing.
struct Nothing: LoadingPolicy {
    mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? { nil }
}
