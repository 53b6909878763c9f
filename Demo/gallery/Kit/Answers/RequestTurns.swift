internal import DeferredLoading
internal import IdleLoop

/// The turns of addresses that wait for pictures, by which each has its part of the work by cost.
///
/// An address's requests come one after the other on a clock of its own; of all that wait comes first
/// what would be done first if each address had the work to itself in equal parts (weighted fair
/// queueing: Demers, Keshav and Shenker, 1989). So who asks for little goes before who asked for much
/// sooner.
struct RequestTurns {
    /// The most addresses ahead of the clock that are remembered; beyond that all begin anew.
    static let mostAddresses = 512

    /// The virtual time that all share, and of each address that is ahead of it.
    private var clock = Duration.zero
    private var ends: [String: Duration] = [:]

    /// The number of addresses ahead of the clock, as far as is remembered.
    var addressCount: Int { ends.count }

    /// Returns when an address's next turn begins.
    func start(of address: String) -> Duration { max(clock, ends[address] ?? .zero) }

    /// Charges an address for what was done for it, beside so many others.
    mutating func charge(_ cost: Duration, to address: String, among count: Int) {
        let end = start(of: address) + cost
        clock += cost / max(1, count)
        ends[address] = end
        guard ends.count > Self.mostAddresses else { return }
        let clock = clock
        ends = ends.filter { $0.value > clock }
        if ends.count > Self.mostAddresses { ends = [:] }
    }

    /// Begins anew, as nobody waits.
    mutating func reset() { self = RequestTurns() }
}
