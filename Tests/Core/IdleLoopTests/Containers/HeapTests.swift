import TestSupport
import Testing

@testable import IdleLoop

/// The heap and its memory against obvious ones.
struct HeapTests {
    @Test(arguments: seeds(0..<60))
    func `the heap gives what a sorted list gives`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var heap = IndexedHeap()
        var plain: [Int: HeapOrder] = [:]
        var number: UInt64 = 0
        for _ in 0..<400 {
            let slot = Int(random.next() % 50)
            number += 1
            let order = HeapOrder(major: random.next() % 20, minor: number)
            switch random.next() % 5 {
            case 0, 1, 2:
                heap.insert(order, slot: slot)
                plain[slot] = order
            case 3:
                #expect(heap.remove(slot: slot) == (plain.removeValue(forKey: slot) != nil))
            default:
                guard let first = heap.first else { continue }
                heap.moveFirst(to: order)
                plain[first.slot] = order
            }
            heap.checkInvariants()
            #expect(heap.contains(slot: slot) == (plain[slot] != nil))
            #expect(heap.order(of: slot) == plain[slot])
            let (limit, most) = (HeapOrder(major: random.next() % 22, minor: 0), slot % 8)
            let before = plain.values.count { $0 < limit }
            #expect(heap.hasMore(than: most, before: limit) == (before > most))
            let least = plain.min { $0.value < $1.value }
            #expect(heap.first?.slot == least?.key)
        }
        #expect(drain(heap) == plain.sorted { $0.value < $1.value }.map(\.key))
    }

    private func drain(_ heap: consuming IndexedHeap) -> [Int] {
        var slots: [Int] = []
        while let first = heap.first {
            slots.append(first.slot)
            heap.remove(slot: first.slot)
            heap.checkInvariants()
        }
        return slots
    }

    @Test func `a running number goes round and stays in order`() {
        var heap = IndexedHeap()
        let start = UInt64(UInt32.max) - 2
        for slot in 0..<6 {
            heap.insert(HeapOrder(major: 0, minor: start + UInt64(slot)), slot: slot)
        }
        #expect(drain(heap) == [0, 1, 2, 3, 4, 5])
    }

    @Test func `a moment comes back as it went in`() {
        for nanoseconds in [Int64.min, -1, 0, 1, .max] {
            let moment = Instant(nanoseconds: nanoseconds)
            #expect(HeapOrder(due: moment, sequence: 1).deadline == moment)
        }
        let (early, late) = (Instant(nanoseconds: -1), Instant(nanoseconds: 1))
        #expect(HeapOrder(due: early, sequence: 2) < HeapOrder(due: late, sequence: 1))
    }

    @Test(arguments: seeds(0..<40))
    func `timers are a list of deadlines`(seed: UInt64) {
        struct Plain {
            let id: TimerTable.ID
            var due: Int64
            var number: Int
            let rhythm: TimerTable.Rhythm
        }
        var random = SplitMix64(seed: seed)
        var table = TimerTable()
        var plain: [Plain] = []
        var gone: [TimerTable.ID] = []
        var (now, number) = (Int64(0), 0)
        for _ in 0..<300 {
            switch random.next() % 4 {
            case 0, 1:
                number += 1
                let rhythm = TimerTable.Rhythm(
                    period: [0, 0, 7][Int(random.next() % 3)],
                    tolerance: [-1, -1, 5][Int(random.next() % 3)])
                let due = now + Int64(random.next() % 30)
                let id = table.add(at: Instant(nanoseconds: due), rhythm) {}
                plain.append(Plain(id: id, due: due, number: number, rhythm: rhythm))
            case 2:
                guard let other = plain.randomElement(using: &random) else { continue }
                plain.removeAll { $0.id == other.id }
                gone.append(other.id)
                #expect(table.remove(other.id) != nil)
            default:
                now += Int64(random.next() % 12)
                let horizon = table.horizon
                while true {
                    let popped = table.popDue(at: Instant(nanoseconds: now), before: horizon)
                    let first = plain.indices.filter { plain[$0].due <= now }
                        .min {
                            (plain[$0].due, plain[$0].number) < (plain[$1].due, plain[$1].number)
                        }
                    #expect((popped != nil) == (first != nil))
                    guard let first else { break }
                    let period = plain[first].rhythm.period
                    if period > 0 {
                        number += 1
                        plain[first].number = number
                        while plain[first].due <= now { plain[first].due += period }
                    } else {
                        gone.append(plain.remove(at: first).id)
                    }
                }
            }
            table.checkInvariants()
            for id in gone { #expect(table.remove(id) == nil) }
            #expect(table.next == plain.map(\.due).min().map(Instant.init) ?? .distantFuture)
            let limits = plain.filter { $0.rhythm.tolerance >= 0 }.map {
                $0.due + $0.rhythm.tolerance
            }
            #expect(table.latest == limits.min().map(Instant.init) ?? .distantFuture)
        }
    }

    @Test func `what lies in a buffer stays while it grows by megabytes, and is let go of once`() {
        final class Token {}
        weak var witness: Token?
        do {
            let token = Token()
            witness = token
            var buffer = Buffer<(Int, Token)>(lead: 3)
            let count = 700_000  // 11 MB: it moves several times
            for number in 0..<count { buffer.append((number, token)) }
            #expect(buffer.count == count)
            #expect((0..<count).allSatisfy { buffer[$0].0 == $0 && buffer[$0].1 === token })
            buffer[count / 2].0 = -1
            #expect(buffer[count / 2].0 == -1)
            for number in (count / 2 + 1..<count).reversed() {
                #expect(buffer.removeLast().0 == number)
            }
            #expect(buffer.count == count / 2 + 1)
        }
        #expect(witness == nil)
    }

    @Test func `a rank beyond the limits counts as the limit`() {
        let orders = [Int.min, -(1 << 59), -1, 0, 1, (1 << 59) - 1, Int.max].map {
            WorkOrder(priority: .normal, rank: $0, sequence: 1)
        }
        #expect(
            orders.map(\.rank) == [-(1 << 59), -(1 << 59), -1, 0, 1, (1 << 59) - 1, (1 << 59) - 1])
        #expect(orders.allSatisfy { $0.priority == .normal })
        for (one, other) in zip(orders, orders.dropFirst()) { #expect(!(other < one)) }
        let urgent = WorkOrder(priority: .highest, rank: .max, sequence: 2)
        #expect(orders.allSatisfy { urgent < $0 && urgent.toRun() < $0.toRun() })
        #expect(orders.allSatisfy { $0.toDrop < urgent.toDrop })
    }
}
