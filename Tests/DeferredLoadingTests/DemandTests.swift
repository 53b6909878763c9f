import DeferredLoading
import IdleLoop
import Testing

struct DemandTests {
    private func wanted(_ keys: [Int], _ urgency: Urgency = .visible) -> [Wanted<Int>] {
        keys.enumerated().map { Wanted($1, urgency: urgency, rank: $0) }
    }

    @Test func `a demand holds what changed and nothing else`() {
        let old = [
            Wanted(1, urgency: .visible, rank: 0), Wanted(2, urgency: .visible, rank: 1),
            Wanted(3, urgency: .near, rank: 0),
        ]
        let new = [
            Wanted(4, urgency: .near, rank: 5), Wanted(2, urgency: .visible, rank: 1),
            Wanted(3, urgency: .visible, rank: 2),
        ]
        let demand = Demand(from: old, to: new)
        #expect(demand.unwanted == [1])
        #expect(demand.wanted.map(\.key) == [3, 4])
    }

    @Test func `the same again is an empty demand`() {
        #expect(Demand(from: wanted([1, 2, 3]), to: wanted([1, 2, 3])).isEmpty)
    }

    @Test func `a key that is named twice counts as named first`() {
        let twice = [
            Wanted(1, urgency: .visible, rank: 0), Wanted(1, urgency: .near, rank: 9),
        ]
        #expect(Demand(from: [], to: twice).wanted == [twice[0]])
    }
}
