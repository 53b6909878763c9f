import DeferredLoading
import ScrollModel

/// A rule that wants nothing.
struct Nothing: LoadingPolicy {
    mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? { nil }
}
