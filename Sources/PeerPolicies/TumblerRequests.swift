public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P14: thumbnails by tumbler, the service of Xfce (`tumbler-service`, its LIFO scheduler).
///
/// For each change of what is on screen the file manager sends one request with all visible files
/// that have no thumbnail. The last request is worked on first, each in its own order. What is
/// there is reported at once. A request that is taken back loses what wasn't done of it.
///
/// Here a request is taken back once none of its rows is on screen any more.
public struct TumblerRequests: LoadingPolicy {
    /// The rows of each request, the newest request last.
    public private(set) var requests: [[Int]] = []
    private var visible: Range<Int>?

    /// The rule, before the first frame.
    public init() {}

    /// Returns the rows that are requested; answers at frames.
    public mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let now = moment.viewport.visibleRows
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
