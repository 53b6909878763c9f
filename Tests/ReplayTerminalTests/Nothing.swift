import DeferredLoading

/// A rule that wants nothing.
struct Nothing: LoadingPolicy {
    mutating func wanted(after moment: ScrollMoment) -> [Wanted<Int>]? { nil }
}
