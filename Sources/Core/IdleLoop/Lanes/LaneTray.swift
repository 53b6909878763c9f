internal import LullLibC
internal import Synchronization

/// The runs that the loop offers to its lanes, of which each lane takes the most urgent.
///
/// Only the loop fills a slot, and whoever exchanges a slot's run for nil has it. So a lane that
/// stops in the middle of a step delays nobody. A lane that sees the order of one run and takes
/// another, since the loop replaced it between the two steps, takes one that is at least as urgent.
final class LaneTray: Sendable {
    @safe private struct Slot: ~Copyable {
        let order = Atomic<UInt64>(.max)
        let sequence = Atomic<UInt32>(0)
        let run = unsafe Atomic<Unmanaged<LaneRun>?>(nil)
    }

    /// The number of slots: two for each lane, so that a lane finds the next run before the loop has
    /// filled its slot again, for 32 lanes.
    static let size = 64

    private let slots = InlineArray<64, Slot> { _ in Slot() }

    deinit {
        for slot in 0..<Self.size { _ = take(at: slot) }
    }

    /// Whether more waits than is on the tray, as the loop saw it last.
    let hasMore = Atomic(false)
    private let isAsking = Atomic(false)

    // MARK: - Lanes

    /// Asks the loop for a look when it's woken next, as no lane may be there for what waits.
    func ask() { isAsking.store(true, ordering: .sequentiallyConsistent) }

    /// Whether a lane that has taken a run should ask for more: the tray is empty, and more waits.
    var ranOut: Bool { hasMore.load(ordering: .relaxed) && mostUrgent == .max }

    /// The place of the most urgent run in the order of work; the maximum if there is none.
    ///
    /// O(n) in the number of slots.
    var mostUrgent: UInt64 { first?.order.major ?? .max }

    private var first: (slot: Int, order: HeapOrder)? {
        var first: (slot: Int, order: HeapOrder)?
        for slot in 0..<Self.size where holdsRun(at: slot) {
            let order = HeapOrder(
                major: slots[slot].order.load(ordering: .relaxed),
                minor: UInt64(slots[slot].sequence.load(ordering: .relaxed)))
            if let first, first.order < order { continue }
            first = (slot, order)
        }
        return first
    }

    /// Takes the most urgent run; nil if there is none.
    func take() -> LaneRun? {
        while let slot = first?.slot {
            if let run = take(at: slot) { return run }
        }
        return nil
    }

    // MARK: - The loop

    /// Whether a lane has asked for a look.
    var asks: Bool { isAsking.load(ordering: .relaxed) }

    /// Returns whether a lane has asked for a look since the last call.
    func takeAsking() -> Bool { isAsking.exchange(false, ordering: .sequentiallyConsistent) }

    func holdsRun(at slot: Int) -> Bool {
        // Sequentially consistent, as is the number of lanes that sleep: either the lane sees the run,
        // or the loop sees that the lane sleeps.
        unsafe slots[slot].run.load(ordering: .sequentiallyConsistent) != nil
    }

    /// Puts a run into an empty slot.
    func put(_ run: LaneRun, at slot: Int) {
        slots[slot].order.store(run.order, ordering: .relaxed)
        unsafe slots[slot].sequence.store(run.sequence, ordering: .relaxed)
        unsafe slots[slot].run.store(.passRetained(run), ordering: .sequentiallyConsistent)
    }

    /// Takes the run in a slot; nil if a lane has taken it.
    func take(at slot: Int) -> LaneRun? {
        unsafe slots[slot].run.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
    }
}
