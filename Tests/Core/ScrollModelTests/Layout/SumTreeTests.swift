import TestSupport
import Testing

@testable import ScrollModel

/// The tree of sums against an array that is summed anew for every question.
struct SumTreeTests {
    @Test(arguments: seeds(0..<90))
    func `answers like an array, after any edits`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Few kinds of numbers make runs, many make leaves; a long list makes branches.
        let kinds = [1, 2, 1000][Int(seed % 3)]
        let most = [20, 400, 4_000][Int(seed / 3 % 3)]
        func number() -> Int64 { Int64(random.next() % UInt64(kinds)) * 7 }
        var plain = (0..<Int.random(in: 0...most, using: &random)).map { _ in number() }
        var tree = SumTree(plain)
        check(tree, plain, &random)
        for _ in 0..<25 {
            let place = Int.random(in: 0...plain.count, using: &random)
            switch random.next() % 8 {
            case 0, 1:
                guard place < plain.count else { continue }
                plain[place] = number()
                tree.set(plain[place], at: place)
            case 2, 3:
                let value = number()
                plain.insert(value, at: place)
                tree.insert(value, at: place)
            case 4:
                let (value, count) = (number(), Int.random(in: 0...most, using: &random))
                plain.insert(contentsOf: Array(repeating: value, count: count), at: place)
                tree.insert(value, count: count, at: place)
            case 5:
                let values = (0..<Int.random(in: 0...most / 4, using: &random)).map { _ in number()
                }
                plain.insert(contentsOf: values, at: place)
                tree.insert(SumTree(values), at: place)
            case 6:
                guard place < plain.count else { continue }
                plain.remove(at: place)
                tree.remove(place..<place + 1)
            default:
                let end = Int.random(in: place...plain.count, using: &random)
                if random.next() % 2 == 0 {
                    plain.removeSubrange(place..<end)
                    tree.remove(place..<end)
                } else {
                    let part = Array(plain[place..<end])
                    plain.insert(contentsOf: part, at: end)
                    tree.insert(SumTree(part), at: end)
                }
            }
            check(tree, plain, &random)
        }
        #expect(tree == SumTree(plain), "no trace of the order of edits is left")
    }

    private func check(_ tree: SumTree, _ plain: [Int64], _ random: inout SplitMix64) {
        tree.checkInvariants()
        #expect(tree.count == plain.count)
        #expect(tree.total == plain.reduce(0, +))
        for _ in 0..<3 {
            let place = Int.random(in: 0...plain.count, using: &random)
            let sum = plain[..<place].reduce(0, +)
            #expect(tree.sum(ofFirst: place) == sum)
            #expect(place == plain.count || tree[place] == plain[place])
            let limit = max(0, sum + Int64(random.next() % 3) - 1)
            let more = Int64(random.next() % 2) * 2
            #expect(
                tree.count(whileSumAtMost: limit, more: more)
                    == count(plain, whileSumAtMost: limit, more: more))
        }
    }

    private func count(_ plain: [Int64], whileSumAtMost limit: Int64, more: Int64) -> Int {
        var sum: Int64 = 0
        for (place, value) in plain.enumerated() {
            sum += value + more
            if sum > limit { return place }
        }
        return plain.count
    }

    @Test func `a thousand million equal numbers take no room, and some that differ take little`() {
        var tree = SumTree(repeating: 45_056, count: 1_000_000_000)
        #expect(tree.sum(ofFirst: 999_999_999) == 45_056 * 999_999_999)
        #expect(tree.count(whileSumAtMost: 45_056 * 123_456_789) == 123_456_789)
        var random = SplitMix64(seed: 1)
        var changed: [Int: Int64] = [:]
        for _ in 0..<500 {
            let place = Int.random(in: 0..<tree.count, using: &random)
            changed[place] = Int64(random.next() % 100_000)
            tree.set(changed[place] ?? 0, at: place)
        }
        tree.checkInvariants()
        for (place, value) in changed { #expect(tree[place] == value) }
        let difference = changed.values.reduce(0) { $0 + $1 - 45_056 }
        #expect(tree.total == 45_056 * 1_000_000_000 + difference)
    }
}
