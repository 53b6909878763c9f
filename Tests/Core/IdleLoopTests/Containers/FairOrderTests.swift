import IdleLoop
import TestSupport
import Testing

/// The weighted-fair order against what each of its members received.
struct FairOrderTests {
    /// A member, and what it received since it and each other have been waiting without a break.
    private struct Member {
        let weight: Int
        var account: FairOrder.Account
        var waiting = 0
        var received: [Duration]
        var longest = Duration.zero
    }

    private func members(of weights: [Int]) -> [Member] {
        weights.map { weight in
            Member(
                weight: weight, account: .init(weight: weight),
                received: Array(repeating: .zero, count: weights.count))
        }
    }

    @Test(arguments: seeds(0..<60))
    func `while two wait, neither receives more for its weight than a piece of each`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var order = FairOrder()
        var all = members(of: (0..<4).map { _ in Int.random(in: 1...6, using: &random) })
        for _ in 0..<600 {
            let index = Int.random(in: 0..<4, using: &random)
            if Bool.random(using: &random), all[index].waiting == 0 {
                all[index].waiting = Int.random(in: 1...40, using: &random)
                for other in 0..<4 {
                    (all[index].received[other], all[other].received[index]) = (.zero, .zero)
                }
            }
            let waiting = all.indices.filter { all[$0].waiting > 0 }
            let starts = all.map { order.start(of: $0.account) }
            guard let next = waiting.min(by: { starts[$0] < starts[$1] }) else { continue }
            let start = order.begin(all[next].account)
            #expect(start == starts[next] && order.now == start)
            let cost = Duration.microseconds(Int.random(in: 1...3000, using: &random))
            all[next].account.charge(cost, from: start)
            all[next].waiting -= 1
            all[next].longest = max(all[next].longest, cost)
            for other in 0..<4 { all[next].received[other] += cost }
            for (one, other) in pairs(of: waiting) {
                let difference =
                    all[one].received[other] / all[one].weight
                    - all[other].received[one] / all[other].weight
                let most =
                    all[one].longest / all[one].weight + all[other].longest / all[other].weight
                #expect(max(difference, .zero - difference) <= most + .microseconds(1))
            }
        }
    }

    private func pairs(of members: [Int]) -> [(Int, Int)] {
        members.flatMap { one in members.filter { $0 < one }.map { (one, $0) } }
    }

    @Test func `who wanted nothing for a while gets no credit for it`() {
        var order = FairOrder()
        var all = members(of: [1, 1])
        for _ in 0..<100 {
            all[0].account.charge(.milliseconds(1), from: order.begin(all[0].account))
        }
        var taken = 0
        for _ in 0..<20 {
            let next = order.start(of: all[1].account) <= order.start(of: all[0].account) ? 1 : 0
            all[next].account.charge(.milliseconds(1), from: order.begin(all[next].account))
            taken += next
        }
        #expect((9...11).contains(taken))
    }

    @Test func `a start that was given before is kept when the work costs another`() {
        var order = FairOrder()
        var account = FairOrder.Account(weight: 2)
        let second = account.end(of: .milliseconds(4), from: order.start(of: account))
        #expect(second == 2_000_000)
        order.begin(at: second)
        account.charge(.milliseconds(10), from: second)
        #expect(account.end == 7_000_000)
        order.begin(at: 1)
        #expect(order.now == second)
    }

    @Test func `costs are positive, and sums don't overflow`() {
        var account = FairOrder.Account(weight: .max)
        account.charge(.zero, from: 0)
        #expect(account.end == 1)
        account = FairOrder.Account()
        account.charge(.seconds(-1), from: 0)
        #expect(account.end == 1000)
        account.charge(.seconds(Int64.max), from: .max - 5)
        #expect(account.end == .max)
    }
}
