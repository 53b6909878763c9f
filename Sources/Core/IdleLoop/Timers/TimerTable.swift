internal import LullLibC

/// The timers of a loop: a heap by deadline, another by the latest firing time of those with a
/// tolerance, and the closures.
struct TimerTable: ~Copyable {
    /// The identifier of a timer: its slot, and a stamp that distinguishes it from earlier timers
    /// in the slot.
    struct ID: Hashable, Sendable {
        let slot: UInt32
        let stamp: UInt32

        /// The identifier of no timer.
        static var none: ID { ID(slot: 0, stamp: 0) }
    }

    /// The period and tolerance of a timer, in nanoseconds: a `Duration` would take twice the
    /// memory.
    struct Rhythm {
        /// The period; zero if the timer fires once.
        var period: Int64
        /// The tolerance; negative if it has none.
        var tolerance: Int64

        var isPlain: Bool { period == 0 && tolerance < 0 }

        /// The rhythm of a timer that fires once, without a tolerance.
        static var once: Rhythm { Rhythm(period: 0, tolerance: -1) }
    }

    /// The state of a timer, in 24 bytes: one that fires once without a tolerance needs no more.
    private struct Node {
        var body: (() -> Void)?
        /// The stamp, odd while the slot is in use, and new at each use.
        var stamp: UInt32 = 0
        /// The index of its rhythm plus one, zero if that is plain; in a free slot, the next free
        /// slot.
        var link: UInt32 = 0
    }

    private var nodes = Buffer<Node>()
    private var heap = IndexedHeap()
    private var limits = IndexedHeap()
    private var rhythms = SlotTable<Rhythm>()
    private var sequence: UInt64 = 0
    private var firstFree = UInt32.max

    /// The earliest deadline; `distantFuture` if there is no timer.
    private(set) var next = Instant.distantFuture
    /// The earliest of the latest firing times of timers with a tolerance.
    private(set) var latest = Instant.distantFuture

    /// The sequence number of the next timer to be armed.
    var horizon: UInt64 { sequence &+ 1 }

    @inline(__always)
    mutating func add(
        at deadline: Instant, _ rhythm: Rhythm, _ body: consuming @escaping () -> Void
    ) -> ID {
        let slot: Int
        if firstFree == .max {
            slot = nodes.count
            nodes.append(Node())
        } else {
            slot = Int(firstFree)
            firstFree = nodes[slot].link
        }
        let stamp = nodes[slot].stamp &+ 1
        var link: UInt32 = 0
        if !rhythm.isPlain { link = UInt32(rhythms.insert(rhythm).index &+ 1) }
        nodes[slot] = Node(body: body, stamp: stamp, link: link)
        sequence &+= 1
        heap.insert(HeapOrder(due: deadline, sequence: sequence), slot: slot)
        if rhythm.tolerance >= 0 { limit(slot, at: deadline, rhythm.tolerance) }
        if deadline < next { next = deadline }
        return ID(slot: UInt32(truncatingIfNeeded: slot), stamp: stamp)
    }

    @inline(never)
    private mutating func limit(_ slot: Int, at deadline: Instant, _ tolerance: Int64) {
        let limit = HeapOrder(due: deadline.later(by: tolerance), sequence: sequence)
        limits.insert(limit, slot: slot)
        latest = limits.first?.order.deadline ?? .distantFuture
    }

    /// Removes a timer and returns its closure; nil if it isn't in the table.
    mutating func remove(_ id: ID) -> (() -> Void)? {
        let slot = Int(id.slot)
        guard slot < nodes.count, nodes[slot].stamp == id.stamp, id.stamp & 1 == 1 else {
            return nil
        }
        return disarm(slot)
    }

    private mutating func disarm(_ slot: Int) -> (() -> Void)? {
        heap.remove(slot: slot)
        let link = nodes[slot].link
        if link > 0 {
            if rhythms.remove(at: Int(link) &- 1).tolerance >= 0 {
                limits.remove(slot: slot)
                latest = limits.first?.order.deadline ?? .distantFuture
            }
        }
        next = heap.first?.order.deadline ?? .distantFuture
        nodes[slot].stamp &+= 1
        nodes[slot].link = firstFree
        firstFree = UInt32(truncatingIfNeeded: slot)
        var body: (() -> Void)?
        swap(&body, &nodes[slot].body)
        return body
    }

    /// Removes and returns the earliest timer that is due and was armed before `horizon`, and
    /// rearms it if it repeats.
    ///
    /// A timer that is armed meanwhile is due at `now` at the earliest. A repeating timer stays at
    /// multiples of its period; missed ones are skipped, not made up for.
    mutating func popDue(at now: Instant, before horizon: UInt64) -> (() -> Void)? {
        guard next <= now, next < .distantFuture, let (order, slot) = heap.first else { return nil }
        let due = order.deadline
        let horizon = UInt32(truncatingIfNeeded: horizon)
        guard due < now || order.isBefore(horizon) else { return nil }
        let link = nodes[slot].link
        guard link > 0 else { return disarm(slot) }
        let rhythm = rhythms[Int(link) &- 1]
        guard rhythm.period > 0 else { return disarm(slot) }
        let moment = now.later(by: rhythm.period - now.since(due) % rhythm.period)
        sequence &+= 1
        heap.moveFirst(to: HeapOrder(due: moment, sequence: sequence))
        if rhythm.tolerance >= 0 { limit(slot, at: moment, rhythm.tolerance) }
        next = heap.first?.order.deadline ?? .distantFuture
        return nodes[slot].body
    }

    /// Checks that the heaps agree.
    ///
    /// O(n).
    func checkInvariants() {
        heap.checkInvariants()
        limits.checkInvariants()
        rhythms.checkInvariants()
        var (used, plain, limited) = (0, 0, 0)
        for slot in 0..<nodes.count where nodes[slot].stamp & 1 == 1 {
            used += 1
            precondition(nodes[slot].body != nil, "every timer has something to do")
            precondition(heap.contains(slot: slot), "every timer is armed")
            let link = Int(nodes[slot].link)
            if link == 0 { plain += 1 }
            let isLimited = link > 0 && rhythms[link - 1].tolerance >= 0
            precondition(limits.contains(slot: slot) == isLimited, "a tolerance is a limit")
            if isLimited { limited += 1 }
        }
        precondition(heap.count == used, "only timers are armed")
        precondition(rhythms.count == used - plain, "only timers have a rhythm")
        precondition(limits.count == limited, "only timers have a limit")
        var (free, steps) = (firstFree, 0)
        while free != .max {
            precondition(nodes[Int(free)].body == nil, "what is free does nothing")
            (free, steps) = (nodes[Int(free)].link, steps + 1)
        }
        precondition(steps + used == nodes.count, "a slot is in use or free")
        precondition(
            next == heap.first?.order.deadline ?? .distantFuture, "the next is the heap's first")
    }
}

extension HeapOrder {
    /// Creates an order by time; equal times keep the order in which they were armed.
    init(due: Instant, sequence: UInt64) {
        self.init(major: UInt64(bitPattern: due.nanoseconds) ^ 1 &<< 63, minor: sequence)
    }

    /// The time from which the order was created.
    var deadline: Instant { Instant(nanoseconds: Int64(bitPattern: major ^ 1 &<< 63)) }
}
