internal import LullLibC
internal import Synchronization

/// A virtual clock that stands still while code runs and jumps ahead when the loop would sleep.
///
/// The same loop that sleeps in `epoll_wait` in production takes no real time here, so a test of
/// ten hours takes milliseconds and gives the same result on every machine:
///
/// ```swift
/// let time = VirtualTime()
/// let loop = try MainLoop(clock: .virtual(time))
/// loop.schedule(after: .seconds(3600)) { print("an hour later") }
/// try loop.run()
/// ```
///
/// Code takes no virtual time unless it calls `charge(_:)`. Events outside the process (a finger
/// moves, a packet arrives) are scripted with `at(_:_:)`: as in production, the loop doesn't know
/// of them in advance, and is notified by a descriptor.
public final class VirtualTime {
    /// The current time.
    public private(set) var now: Instant {
        get { shown.now }
        set { shown.now = newValue }
    }

    /// The current time, readable from other threads.
    let shown: SharedInstant

    /// The scripted events.
    private let script = ConfinedBox(TimerTable())
    /// Whether what is charged is only measured.
    private var isMeasuring = false

    /// Creates a virtual time that begins at `start`.
    public init(start: Instant = .zero) {
        shown = SharedInstant(start)
    }

    /// Advances the time by `cost` inside a callback, as expensive work would.
    ///
    /// Timers that become due meanwhile fire late, and scripted events happen at their times.
    /// Traps if the cost is negative.
    public func charge(_ cost: Duration) {
        precondition(cost >= .zero, "virtual time never goes back")
        let end = now.advanced(by: cost)
        if isMeasuring { now = end } else { advance(to: end) }
    }

    /// Returns what `body` charges, which takes place beside everything else: afterwards the time is what
    /// it was.
    func measure(_ body: () -> Void) -> Duration {
        let start = now
        isMeasuring = true
        body()
        isMeasuring = false
        defer { now = start }
        return start.duration(to: now)
    }

    /// Scripts an event outside the process at `instant`, or at once when that has passed.
    ///
    /// The closure may write to a pipe, for example. It runs between the loop's callbacks or in the
    /// middle of one that charges time, as real events do, so it must not use the loop itself.
    /// Events of the same time happen in the order in which they were scripted. O(log n).
    public func at(_ instant: Instant, _ happening: @escaping () -> Void) {
        _ = script.value.add(at: max(instant, now), .once, happening)
    }

    /// The time of the next scripted event; `distantFuture` if there is none.
    var nextHappening: Instant { script.value.next }

    /// Advances to `target`, and runs the scripted events up to it at their times.
    func advance(to target: Instant) {
        while nextHappening <= target {
            let next = nextHappening
            guard let happening = script.value.popDue(at: next, before: script.value.horizon) else {
                break
            }
            now = max(now, next)
            happening()
        }
        now = max(now, target)
    }
}

/// An instant that one thread sets and all threads may read.
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
