import TestSupport
import Testing

@testable import ImageLoading

struct LRUTableTests {
    @Test(arguments: seeds(0..<40))
    func `behaves as an array in order of age does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = LRUTable<Int, Int>(capacity: 8)
        var plain: [(key: Int, value: Int)] = []
        var mistakes = 0
        for step in 0..<400 {
            let key = Int.random(in: 0..<12, using: &random)
            let place = plain.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                table.insert(step, for: key)
                if let place { plain.remove(at: place) }
                plain.append((key, step))
                if plain.count > 8 { plain.removeFirst() }
            case 2:
                table.remove(key)
                if let place { plain.remove(at: place) }
            default:
                if table[key] != place.map({ plain[$0].value }) { mistakes += 1 }
            }
            table.checkInvariants()
            if table.count != plain.count { mistakes += 1 }
        }
        #expect(mistakes == 0)
    }
}
