internal import DeferredLoading
internal import IdleLoop

/// Weighted fair queueing of addresses that wait for pictures (Demers, Keshav and Shenker, 1989).
///
/// An address's requests follow each other on its own clock. The next request is the one that would
/// finish first if all addresses shared the work equally. An address with few requests is thus
/// served before one that asked for many earlier.
struct FairQueue {
    /// The maximum number of addresses ahead of the clock that are remembered; above it, all start
    /// anew.
    static let mostAddresses = 512

    /// The common virtual time, and that of each address ahead of it.
    private var clock = Duration.zero
    private var ends: [String: Duration] = [:]

    /// The number of remembered addresses ahead of the clock.
    var addressCount: Int { ends.count }

    /// Returns the time at which an address's next turn begins.
    func start(of address: String) -> Duration { max(clock, ends[address] ?? .zero) }

    /// Charges an address for work done for it, with `count` addresses waiting.
    mutating func charge(_ cost: Duration, to address: String, among count: Int) {
        let end = start(of: address) + cost
        clock += cost / max(1, count)
        ends[address] = end
        guard ends.count > Self.mostAddresses else { return }
        let clock = clock
        ends = ends.filter { $0.value > clock }
        if ends.count > Self.mostAddresses { ends = [:] }
    }

    /// Resets all clocks, for when nobody waits.
    mutating func reset() { self = FairQueue() }
}
