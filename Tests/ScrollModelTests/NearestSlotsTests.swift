import TestSupport
import Testing

@testable import ScrollModel

struct NearestSlotsTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `finds what a search through all finds`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var near = NearestSlots()
        for _ in 0..<3 {
            near.removeAll()
            var positions = (0..<Int.random(in: 0...70, using: &random))
                .map { _ in Int.random(in: 0...100, using: &random) }
            positions.sort()
            for (slot, position) in positions.enumerated() {
                #expect(near.append(1_000 + slot, position: position) == slot)
            }
            near.seal()
            var there = Set(positions.indices)
            for _ in 0..<100 {
                if let taken = (0..<positions.count).filter({ !there.contains($0) })
                    .randomElement(using: &random), Bool.random(using: &random)
                {
                    near.putBack(taken)
                    there.insert(taken)
                    continue
                }
                let position = Int.random(in: 0...100, using: &random)
                let place = near.take(nearestTo: position)
                let least = there.map { abs(positions[$0] - position) }.min()
                #expect(place.map { abs(positions[$0] - position) } == least)
                if let place {
                    #expect(near.slot(at: place) == 1_000 + place)
                    #expect(there.remove(place) != nil)
                }
                #expect(near.count == there.count)
            }
        }
    }
}
