internal import Synchronization

/// A time that stands still while code runs and jumps when the loop would sleep.
///
/// The same loop that sleeps in `epoll_wait` in production sleeps here in no time at all, so a
/// test of ten hours takes milliseconds and gives the same result on every machine:
///
/// ```swift
/// let time = VirtualTime()
/// let loop = try MainLoop(clock: .virtual(time))
/// loop.schedule(after: .seconds(3600)) { print("an hour later") }
/// try loop.run()
/// ```
///
/// Code costs nothing unless it says so with `charge(_:)`. What happens in the world outside the
/// process (a finger moves, a packet comes) is scripted with `at(_:_:)`: the loop doesn't know of
/// it beforehand, as it would not in production, and learns of it from a descriptor.
public final class VirtualTime {
    /// The present moment.
    public private(set) var now: Instant {
        get { shown.now }
        set { shown.now = newValue }
    }

    /// The present moment, for other threads to see.
    let shown: SharedInstant

    private var happenings = IndexedHeap()
    private var scripts = SlotTable<() -> Void>()
    private var sequence: UInt64 = 0

    /// A time that begins at `start`.
    public init(start: Instant = .zero) {
        shown = SharedInstant(start)
    }

    /// Lets `cost` pass inside a callback, as heavy work would.
    ///
    /// Timers that fall due meanwhile fire late, and the outside world goes on. A cost must not be
    /// negative.
    public func charge(_ cost: Duration) {
        precondition(cost >= .zero, "virtual time never goes back")
        advance(to: now.advanced(by: cost))
    }

    /// Has something happen in the world outside at `instant`, or at once when that has passed.
    ///
    /// It may write to a pipe or the like. It runs between the loop's callbacks or in the middle
    /// of one that charges time, as the world does, so it must not touch the loop itself. Several
    /// of one moment happen in the order they were scripted. O(log n).
    public func at(_ instant: Instant, _ happening: @escaping () -> Void) {
        sequence += 1
        let slot = scripts.insert(happening)
        let order = HeapOrder(due: max(instant, now), sequence: sequence)
        happenings.insert(order, slot: slot.index)
    }

    /// The moment of the next thing that happens outside.
    var nextHappening: Instant? {
        happenings.first?.order.deadline
    }

    /// Moves to `target`, letting what happens on the way happen at its own moment.
    func advance(to target: Instant) {
        while let (order, slot) = happenings.first, order.deadline <= target {
            happenings.remove(slot: slot)
            let happening = scripts.remove(at: slot)
            now = max(now, order.deadline)
            happening()
        }
        now = max(now, target)
    }
}

/// A moment that one thread sets and all may read.
final class SharedInstant: Sendable {
    private let nanoseconds: Atomic<Int64>

    init(_ instant: Instant) {
        nanoseconds = Atomic(instant.nanoseconds)
    }

    var now: Instant {
        get { Instant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
        set { nanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
    }
}
