public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P14: thumbnails by tumbler, the service of Xfce (`tumbler-service`, its LIFO scheduler).
///
/// For each change of the visible range the file manager sends one request with all visible files
/// that have no thumbnail. The last request is processed first, each in its own order. Existing
/// thumbnails are reported at once. Cancelling a request drops the unfinished part of it.
///
/// Here a request is cancelled once none of its rows is on screen any more.
public struct TumblerRequests: LoadingPolicy {
    /// The rows of each request, the newest request last.
    public private(set) var requests: [[Int]] = []
    private var visible: Range<Int>?

    /// Creates the rule.
    public init() {}

    /// Returns the requested rows; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let now = moment.viewport.visibleRows.bounds
        guard now != visible else { return nil }
        visible = now
        func isMissing(_ row: Int) -> Bool { loads.progress(ofRow: row) != .settled }
        requests = requests.map { $0.filter(isMissing) }
            .filter { $0.contains { now.contains($0) } }
        let missing = now.filter(isMissing)
        if !missing.isEmpty { requests.append(missing) }
        var named: Set<Int> = []
        return requests.reversed().joined().filter { named.insert($0).inserted }
            .enumerated().map { Wanted($1, urgency: .visible, rank: $0) }
    }
}
