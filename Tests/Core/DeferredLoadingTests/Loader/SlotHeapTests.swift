import TestSupport
import Testing

@testable import DeferredLoading

struct SlotHeapTests {
    @Test(arguments: seeds(0..<30))
    func `it agrees with a plain dictionary`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var heap = SlotHeap<Int>()
        var plain: [Int: Int] = [:]
        for _ in 0..<400 {
            let slot = Int.random(in: 0..<20, using: &random)
            // Each order is another, so that there's one least.
            let order =
                Bool.random(using: &random)
                ? Int.random(in: 0..<50, using: &random) * 20 + slot : nil
            heap.set(order, slot: slot)
            plain[slot] = order
            heap.checkInvariants()
            let sorted = plain.values.sorted()
            #expect(heap.first?.order == sorted.first)
            #expect(heap.order(of: slot) == order)
            #expect(heap.count == plain.count)
            let (limit, most) = (Int.random(in: 0..<1000, using: &random), slot % 8)
            let before = plain.values.count { $0 < limit }
            #expect(heap.hasMore(than: most, before: limit) == (before > most))
        }
    }
}
