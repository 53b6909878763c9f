public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P21: lazy images in Chromium (`<img loading="lazy">`, `LazyLoadImageObserver`).
///
/// An image is requested as soon as it is within a margin around the viewport, and nothing cancels
/// it. Requests in view have a high priority, others a low one, each in order.
///
/// Here the margin is that of a fast network (4G); a slow one has 2500 px and more. Images are found
/// at frames, from the top down.
public struct LazyImages: LoadingPolicy {
    /// The distance from the viewport within which rows are requested, in px.
    public let margin: Double
    private var requests = Requests()

    /// Creates the rule with its margin.
    public init(margin: Double = 1250) {
        self.margin = margin
    }

    /// Returns the rows that were requested and are not there yet; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let visible = viewport.visibleRows.bounds
        requests.ask(for: viewport.rows(ahead: margin, behind: margin, isForward: true))
        requests.dropSettled(loads)
        return requests.wanted { visible.contains($0) ? .visible : .near }
    }
}
